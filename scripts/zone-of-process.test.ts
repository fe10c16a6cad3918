import { afterEach, expect, it } from 'vitest';

/** Lines that asked for the zone of the process, as the set-up file notes them. */
const askers = Reflect.get(globalThis, Symbol.for('calends.tests.zoneAskers')) as Set<string>;
const instant = 1_790_000_000_000;

// This file asks on purpose.
afterEach(() => {
  askers.clear();
});

it.each<[what: string, ask: () => unknown]>([
  ['an hour', () => new Date(instant).getHours()],
  ['the offset', () => new Date(instant).getTimezoneOffset()],
  ['an hour that is set', () => new Date(instant).setHours(1)],
  ['a date as a string', () => String(new Date(instant))],
  ['a date in parts', () => new Date(2026, 8, 21)],
  ['a time without an offset', () => new Date('2026-09-21T14:13:20')],
  ['a time without an offset, parsed', () => Date.parse('2026-09-21 14:13')],
  ['what a language writes', () => new Date(instant).toLocaleTimeString('de')],
  ['a format without a zone', () => new Intl.DateTimeFormat('de')],
])('tests notice who asks for the zone of the process: %s', (_what, ask) => {
  ask();
  expect([...askers]).toEqual([expect.stringContaining('zone-of-process.test.ts')]);
});

it.each<[what: string, ask: () => unknown]>([
  ['an hour in UTC', () => new Date(instant).getUTCHours()],
  ['a date in UTC as a string', () => new Date(instant).toISOString()],
  ['a date alone', () => new Date('2026-09-21')],
  ['an instant with its offset', () => Date.parse('2026-09-21T14:13:20+02:00')],
  ['parts in UTC', () => new Date(Date.UTC(2026, 8, 21))],
  ['what a language writes in a zone', () => new Date(instant).toLocaleTimeString('de', { timeZone: 'Europe/Vienna' })],
  ['a format with a zone', () => new Intl.DateTimeFormat('de', { timeZone: 'UTC' })],
  ['now', () => [new Date(), Date.now()]],
])('tests pass over what needs no zone of the process: %s', (_what, ask) => {
  ask();
  expect([...askers]).toEqual([]);
});
