import { type Change, wrapStore } from '@calends/core/store';
import { expect, it } from 'vitest';
import { conformanceCases } from '../src/conformance-cases.js';
import { type ConformanceLevel, conformanceLevels } from '../src/index.js';
import { defineWith, harnessOf } from './support.js';

const placeOf = (level: ConformanceLevel): number => conformanceLevels.indexOf(level);

/** What a store must keep for a part of a change. */
const levelsOfParts: Partial<Record<keyof Change, ConformanceLevel>> = {
  request: 'requests',
  customers: 'customers',
  removedCustomers: 'customers',
  otp: 'customers',
  proof: 'customers',
  ticket: 'customers',
  revokedTickets: 'customers',
  notifications: 'notifications',
  audit: 'audit',
  limits: 'availability',
  holds: 'availability',
  holdsAt: 'availability',
  records: 'availability',
};

/** The levels that a call of a method needs. */
function needsOf(method: string, [given]: readonly unknown[]): readonly ConformanceLevel[] {
  const [subject] = method.split('.');
  const ofSubject = conformanceLevels.filter((level) => level === subject);
  if (method === 'nextWakeAt') {
    const { events, channels } = given as { events: boolean; channels: readonly unknown[] };
    return [...(events ? ['events' as const] : []), ...(channels.length > 0 ? ['notifications' as const] : [])];
  }
  if (method !== 'commit') return ofSubject;
  const change = given as Change;
  const parts = Object.entries(levelsOfParts).filter(([part]) => change[part as keyof Change] !== undefined);
  return [
    ...parts.map(([, level]) => level),
    ...(change.events.length > 0 ? (['events'] as const) : []),
    ...(change.guard?.span !== undefined ? (['availability'] as const) : []),
  ];
}

it('no case needs more than its level', async () => {
  let needed: ConformanceLevel[] = [];
  const { defined } = defineWith(
    harnessOf((store) =>
      wrapStore(store, (method, call) => (...given) => {
        needed.push(...needsOf(method, given));
        return call(...given);
      }),
    ),
  );
  const tooLow: string[] = [];
  for (const { name: group, cases } of conformanceCases) {
    for (const { name, level } of cases) {
      needed = [];
      await defined.get(`${group}: ${name}`)?.();
      const last = needed.toSorted((a, b) => placeOf(a) - placeOf(b)).at(-1);
      if (last !== undefined && placeOf(last) > placeOf(level)) tooLow.push(`${group}: ${name} (${level} < ${last})`);
    }
  }
  expect(tooLow).toEqual([]);
});
