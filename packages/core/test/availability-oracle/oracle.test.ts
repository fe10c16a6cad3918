import type { Weekday } from '@calends/model';
import { describe, expect, it } from 'vitest';
import { oracle } from './oracle.js';
import type { World } from './world.js';

const minute = 60_000;
const days: Weekday[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** One agent, half an hour, on the half hours; asked two days before. */
function world(timezone: string, window: readonly [string, string], from = '00:00', until = '24:00'): World {
  const [begin, end] = window.map((text) => Date.parse(text)) as [number, number];
  return {
    serviceId: 'service-1',
    rules: {
      title: 'Service',
      timezone,
      durations: ['PT30M'],
      grid: { step: 'PT30M' },
      requirements: [{ kind: 'agent', anyOf: ['a1'] }],
    },
    duration: 30 * minute,
    buffer: 0,
    now: begin - 2 * 1440 * minute,
    from: begin,
    to: end,
    hours: [{ actorId: 'a1', timezone, weekly: [{ days, from, until }], exceptions: {} }],
    taken: [],
    elsewhere: [],
    stale: [],
    starts: [],
  };
}

const startsOf = (given: World): readonly string[] =>
  oracle(given)
    .offers()
    .map(({ start }) => new Date(start).toISOString().slice(11, 16));

describe('The oracle of free times', () => {
  it.each([
    ['Europe/Berlin', '2026-03-28T23:00Z', '2026-03-29T22:00Z', 46],
    ['Europe/Berlin', '2026-10-24T22:00Z', '2026-10-25T23:00Z', 50],
    ['Australia/Lord_Howe', '2026-04-04T13:00Z', '2026-04-05T13:30Z', 49],
    ['Australia/Lord_Howe', '2026-10-03T13:30Z', '2026-10-04T13:00Z', 47],
    ['Antarctica/Troll', '2026-03-29T00:00Z', '2026-03-29T22:00Z', 44],
    ['Africa/Cairo', '2026-04-23T22:00Z', '2026-04-24T21:00Z', 46],
    ['Asia/Kathmandu', '2026-06-14T18:15Z', '2026-06-15T18:15Z', 48],
  ])('the oracle offers every half hour that the clocks of %s show from %s to %s', (zone, from, to, count) => {
    expect(startsOf(world(zone, [from, to]))).toHaveLength(count);
  });

  it('the oracle ends a shift in a gap when the gap has passed, and begins one of a repeated hour with its first', () => {
    const spring = world('Europe/Berlin', ['2026-03-28T23:00Z', '2026-03-29T22:00Z'], '01:00', '02:30');
    expect(startsOf(spring)).toEqual(['00:00', '00:30', '01:00']);
    const autumn = world('Europe/Berlin', ['2026-10-24T22:00Z', '2026-10-25T23:00Z'], '02:30', '03:00');
    expect(startsOf(autumn)).toEqual(['00:30', '01:00', '01:30']);
  });

  it('the oracle lets nobody work on the day that Samoa left out', () => {
    const week = world('Pacific/Apia', ['2011-12-28T10:00Z', '2012-01-01T10:00Z'], '09:00', '10:00');
    const friday = { ...week.hours[0]!, weekly: [{ days: ['FR' as const], from: '09:00', until: '10:00' }] };
    expect(startsOf({ ...week, hours: [friday] })).toEqual([]);
  });

  it('the oracle takes the larger of two buffers, not their sum', () => {
    const given = world('UTC', ['2026-06-01T10:00Z', '2026-06-01T16:00Z']);
    const booked = {
      id: 'appointment-1',
      actorIds: ['a1'],
      serviceId: 'service-1',
      blocks: true,
      start: Date.parse('2026-06-01T12:00Z'),
      end: Date.parse('2026-06-01T12:30Z'),
      before: 0,
      after: 60 * minute,
    };
    const asked = oracle({ ...given, rules: { ...given.rules, bufferBefore: 'PT30M' }, taken: [booked] });
    expect(asked.decide(Date.parse('2026-06-01T13:00Z')).reasons).toEqual([
      { code: 'BUFFER', actorId: 'a1', appointmentId: 'appointment-1' },
    ]);
    expect(asked.decide(Date.parse('2026-06-01T13:30Z')).reasons).toEqual([]);
  });
});
