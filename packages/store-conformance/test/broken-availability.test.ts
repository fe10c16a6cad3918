import type { AvailabilityKey, BusyEntry, Change, CommitResult, SchedulingStore } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { conformanceCases } from '../src/conformance-cases.js';
import { type Break, expectCaught, failuresOf, instead, misread } from './breaking.js';

/** Groups with cases of availability; only those are tried. */
const groups = new Set(
  conformanceCases.filter(({ cases }) => cases.some(({ level }) => level === 'availability')).map(({ name }) => name),
);
const within = (group: string): boolean => groups.has(group);

/** A store that answers busy times otherwise. */
const telling = (tell: (entries: readonly BusyEntry[]) => readonly BusyEntry[]): Break =>
  instead('availability', ({ listBusy }) => ({ listBusy: async (query) => tell(await listBusy(query)) }));

/** A store that looks at a part of each change in a step before, and stops there when that is refused. */
const lookingFirst =
  (
    partOf: (change: Change) => Partial<Change> | undefined,
    rest: (change: Change) => Change = (change) => change,
  ): Break =>
  (store) => ({
    ...store,
    commit: async (change, options): Promise<CommitResult> => {
      const { organizationId, holdsAt } = change;
      const part = partOf(change);
      const looked = part && (await store.commit({ organizationId, holdsAt, events: [], ...part }));
      return looked === undefined || looked.status === 'committed' ? store.commit(rest(change), options) : looked;
    },
  });

const limited = ({ limits }: Change) => limits && { limits };

/** Stores that break one rule of availability each, by what they do wrong. */
const broken: readonly (readonly [does: string, rule: Parameters<typeof failuresOf>[0], change: Break])[] = [
  [
    'lists records as they were written',
    'records',
    instead('availability', ({ listRecords }) => ({
      listRecords: async (query) =>
        [...(await listRecords(query))].sort((one, other) => one.updatedAt - other.updatedAt).reverse(),
    })),
  ],
  [
    'takes no scope for every scope',
    'records',
    instead('availability', ({ listRecords }) => ({
      listRecords: ({ scopeIds, ...query }) =>
        listRecords({ ...query, scopeIds: scopeIds?.length === 0 ? undefined : scopeIds }),
    })),
  ],
  [
    'leaves the last day of a range out',
    'records',
    instead('availability', ({ listRecords }) => ({
      listRecords: async (query) => (await listRecords(query)).filter(({ id }) => id !== query.untilId),
    })),
  ],
  [
    'writes records over any version',
    'records',
    misread(async (change, { availability }) => {
      const kinds = ['service', 'hours', 'exception'] as const;
      const { organizationId, records } = change;
      const present = (await availability?.listRecords({ organizationId, kinds })) ?? [];
      const versionOf = (key: AvailabilityKey) => present.find((each) => sameKey(each, key))?.version ?? 0;
      return {
        ...change,
        records: records?.map((each) => ({ ...each, expectedVersion: versionOf(each) })),
      };
    }),
  ],
  ['forgets the records of a change', 'all-or-nothing', misread(({ records: _, ...change }) => change)],
  [
    'tells no buffers',
    'busy',
    telling((all) => all.map((each) => ({ ...each, busy: { from: each.start, to: each.end } }))),
  ],
  ['takes what is over for busy', 'busy', telling((all) => all.map((each) => ({ ...each, blocks: true })))],
  ['leaves out what only counts', 'busy', telling((all) => all.filter(({ blocks }) => blocks))],
  ['tells entries in the order of their ends', 'busy', telling((all) => all.toSorted((a, b) => b.end - a.end))],
  [
    'tells holds that have ended',
    'busy',
    instead('availability', ({ listBusy }) => ({ listBusy: (query) => listBusy({ ...query, now: 0 }) })),
  ],
  [
    'tells what ends where the window begins',
    'busy',
    instead('availability', ({ listBusy }) => ({
      listBusy: ({ window: { from, to }, ...query }) => listBusy({ ...query, window: { from: from - 1, to } }),
    })),
  ],
  [
    'tells the time of what is to be moved',
    'busy',
    instead('availability', ({ listBusy }) => ({
      listBusy: ({ exceptAppointmentId: _, ...query }) => listBusy(query),
    })),
  ],
  [
    'takes time off on the wrong side for buffers',
    'busy',
    instead('availability', ({ listTimes }) => ({
      listTimes: ({ buffers: { before, after }, ...query }) =>
        listTimes({ ...query, buffers: { before: after, after: before } }),
    })),
  ],
  [
    'tells times of holds that have ended',
    'busy',
    instead('availability', ({ listTimes }) => ({ listTimes: (query) => listTimes({ ...query, now: 0 }) })),
  ],
  [
    'tells times by a service that is another now',
    'busy',
    instead('availability', ({ listTimes }) => ({ listTimes: (query) => listTimes({ ...query, service: undefined }) })),
  ],
  [
    'adds the two buffers up',
    'buffers',
    misread((change) => (change.guard ? { ...change, guard: { ...change.guard, span: change.guard.window } } : change)),
  ],
  [
    'keeps only its own buffer',
    'buffers',
    misread(({ guard, ...change }) => ({ ...change, guard: guard && { ...guard, span: undefined } })),
  ],
  [
    'takes a guard without a span for one with it',
    'buffers',
    misread(({ guard, ...change }) => ({ ...change, guard: guard && { span: guard.window, ...guard } })),
  ],
  [
    'lets a hold stand in nobody’s way',
    'buffers',
    misread((change) => (change.guard && !change.holds ? { ...change, holdsAt: Infinity } : change)),
  ],
  [
    'never ends a hold',
    'buffers',
    misread((change) => (change.guard && !change.holds ? { ...change, holdsAt: 0 } : change)),
  ],
  [
    'has the hold of a booking in its way',
    'holds',
    misread(({ guard, ...change }) => ({ ...change, guard: guard && { ...guard, exceptHoldIds: undefined } })),
  ],
  [
    'asks for no hold to be alive',
    'holds',
    misread((change) => (change.holds?.consume === undefined ? change : { ...change, holdsAt: 0 })),
  ],
  [
    'lets a hold be used again and again',
    'holds',
    misread(({ holds, ...change }) => ({ ...change, holds: holds && { ...holds, consume: undefined } })),
  ],
  [
    'keeps what is given up',
    'holds',
    misread(({ holds, ...change }) => ({ ...change, holds: holds && { ...holds, release: undefined } })),
  ],
  [
    'knows no hold after its end',
    'round-trip',
    instead('availability', ({ findHold }) => ({
      findHold: async (...place) => {
        const found = await findHold(...place);
        return found !== undefined && found.until > 1 ? found : undefined;
      },
    })),
  ],
  ['has no limits', 'limits', misread(({ limits: _, ...change }) => change)],
  ['counts no holds', 'limits', misread((change) => (change.limits ? { ...change, holdsAt: Infinity } : change))],
  ['counts holds that have ended', 'limits', misread((change) => (change.limits ? { ...change, holdsAt: 0 } : change))],
  [
    'counts the appointments of every service',
    'limits',
    misread(({ limits, ...change }) => ({ ...change, limits: limits?.map(({ serviceActorId: _, ...each }) => each) })),
  ],
  [
    'counts the end of a window in',
    'limits',
    misread(({ limits, ...change }) => ({
      ...change,
      limits: limits?.map(({ window: { from, to }, ...each }) => ({ ...each, window: { from, to: to + 1 } })),
    })),
  ],
  ['counts what the change itself moves, uses or gives up', 'limits', lookingFirst(limited)],
  [
    'tells of the limits the last one',
    'limits',
    misread(({ limits, ...change }) => ({ ...change, limits: limits?.toReversed() })),
  ],
  ['tells a taken time before all else', 'refusal-order', lookingFirst(({ guard }) => guard && { guard })],
  ['tells a limit before all else', 'refusal-order', lookingFirst(limited)],
  [
    'writes the hold of a change that it refuses',
    'all-or-nothing',
    (store) => ({
      ...store,
      commit: async (change, options) => {
        const result = await store.commit(change, options);
        const { organizationId, holds } = change;
        if (result.status !== 'committed' && holds?.add !== undefined) {
          await store.commit({ organizationId, events: [], holds: { add: holds.add } });
        }
        return result;
      },
    }),
  ],
  ['counts in a step before it writes', 'one-by-one', lookingFirst(limited, ({ limits: _, ...change }) => change)],
  [
    'looks at the guard in a step before it writes',
    'one-by-one',
    lookingFirst(
      ({ guard }) => guard && { guard },
      ({ guard: _, ...change }) => change,
    ),
  ],
  [
    'looks for a hold in a step before it uses it',
    'one-by-one',
    (store) => ({
      ...store,
      commit: async ({ holds: { consume, ...holds } = {}, ...change }, options) => {
        if (consume === undefined) return store.commit({ ...change, holds }, options);
        const found = await store.availability?.findHold(change.organizationId, consume);
        if (found === undefined) return { status: 'holdLost' };
        return store.commit({ ...change, holds: { ...holds, release: [...(holds.release ?? []), consume] } }, options);
      },
    }),
  ],
  [
    'purges all holds at once',
    'purges',
    instead('availability', ({ purgeHolds }) => ({ purgeHolds: (before) => purgeHolds(before, Infinity) })),
  ],
  [
    'finds holds of every organization',
    'organization-first',
    (store) => {
      const owners = new Map<string, string>();
      const commit: SchedulingStore['commit'] = (change, options) => {
        if (change.holds?.add !== undefined) owners.set(change.holds.add.id, change.organizationId);
        return store.commit(change, options);
      };
      return instead('availability', ({ findHold }) => ({
        findHold: (organizationId, id) => findHold(owners.get(id) ?? organizationId, id),
      }))({ ...store, commit });
    },
  ],
  [
    'knows no letter case of actors',
    'code-points',
    instead('availability', ({ listBusy }) => ({
      listBusy: ({ actorIds, ...query }) =>
        listBusy({ ...query, actorIds: [...actorIds, ...actorIds.map((id) => id.toLowerCase())] }),
    })),
  ],
];

function sameKey(one: AvailabilityKey, other: AvailabilityKey): boolean {
  return one.kind === other.kind && one.scopeId === other.scopeId && one.id === other.id;
}

describe('the conformance suite, of availability,', () => {
  it.each(broken)('the conformance suite catches a store that %s (%s)', async (_, rule, change) => {
    await expectCaught(rule, change, within);
  });

  it('the conformance suite lets the same cases pass on a store that breaks none', async () => {
    for (const rule of new Set(broken.map(([, each]) => each)))
      expect(await failuresOf(rule, (store) => store, within)).toEqual([]);
  });
});
