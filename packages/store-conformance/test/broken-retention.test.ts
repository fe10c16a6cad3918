import type { RetentionStore, SchedulingStore } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { conformanceCases } from '../src/conformance-cases.js';
import { type Break, expectCaught, failuresOf, instead } from './breaking.js';

/** Groups with cases of retention; only those are tried. */
const groups = new Set(
  conformanceCases.filter(({ cases }) => cases.some(({ level }) => level === 'retention')).map(({ name }) => name),
);
const within = (group: string): boolean => groups.has(group);

const otherwise = (methods: (part: RetentionStore, store: SchedulingStore) => Partial<RetentionStore>): Break =>
  instead('retention', methods);

/** Stores that break one rule of retention each, by what they do wrong. */
const broken: readonly (readonly [does: string, rule: Parameters<typeof failuresOf>[0], change: Break])[] = [
  ['gives a job to everybody', 'leases', otherwise(() => ({ claim: () => Promise.resolve(true) }))],
  [
    'gives a job back to nobody but its holder',
    'leases',
    otherwise(({ claim }) => ({ claim: (asked) => claim({ ...asked, now: 0 }) })),
  ],
  ['removes nothing', 'retention', otherwise(() => ({ purgeNotifications: () => Promise.resolve({ removed: 0 }) }))],
  [
    'removes all at once',
    'retention',
    otherwise(({ purgeNotifications }) => ({
      purgeNotifications: (asked) => purgeNotifications({ ...asked, limit: 1000 }),
    })),
  ],
  [
    'removes what is younger',
    'retention',
    otherwise(({ purgeNotifications }) => ({
      purgeNotifications: (asked) => purgeNotifications({ ...asked, before: asked.before + 1 }),
    })),
  ],
  [
    'ends a round after its first step',
    'retention',
    otherwise(({ purgeNotifications }) => ({
      purgeNotifications: async (asked) => ({ removed: (await purgeNotifications(asked)).removed }),
    })),
  ],
  ['trims nothing', 'trimming', otherwise(() => ({ trimAudit: () => Promise.resolve(true) }))],
  [
    'trims one seal less',
    'trimming',
    otherwise(({ trimAudit }) => ({ trimAudit: (trim) => trimAudit({ ...trim, upTo: trim.upTo - 1 }) })),
  ],
  [
    'tells of the first organization only',
    'trimming',
    otherwise(({ nextSealed }) => ({
      nextSealed: (after) => (after === undefined ? nextSealed() : Promise.resolve(undefined)),
    })),
  ],
];

describe('the conformance suite', () => {
  it.each(broken)('the conformance suite catches a store of retention that %s (%s)', async (_, rule, change) => {
    await expectCaught(rule, change, within);
  });

  it('the conformance suite lets the same cases of retention pass on a store that breaks none', async () => {
    for (const rule of new Set(broken.map(([, each]) => each)))
      expect(await failuresOf(rule, (store) => store, within)).toEqual([]);
  });
});
