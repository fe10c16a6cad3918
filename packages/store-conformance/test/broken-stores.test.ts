import { type Change, type SchedulingStore, StoreError } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../src/rules.js';
import { type Break, expectCaught, failuresOf, instead, misread } from './breaking.js';

const cancelling = ({ notifications }: Change) => notifications?.cancel ?? [];

/** Stores that break one rule each, by what they do wrong. */
const broken: readonly (readonly [does: string, rule: Rule, change: Break])[] = [
  ['is always out of reach', 'standing', (store) => ({ ...store, check: () => Promise.reject(new Error()) })],
  [
    'cuts blanks off texts',
    'round-trip',
    instead('appointments', ({ find }) => ({
      find: async (...place) => {
        const found = await find(...place);
        return found && { ...found, title: found.title.trim() };
      },
    })),
  ],
  [
    'hands out what it keeps',
    'copies',
    instead('appointments', ({ find }) => {
      const kept = new Map<string, ReturnType<typeof find>>();
      return {
        find: (organizationId, id) => {
          const key = `${organizationId}/${id}`;
          if (!kept.has(key))
            kept.set(
              key,
              find(organizationId, id).then((found) => structuredClone(found)),
            );
          return kept.get(key) ?? find(organizationId, id);
        },
      };
    }),
  ],
  [
    'knows no letter case',
    'code-points',
    instead('requests', ({ find }) => ({ find: (key, now) => find({ ...key, key: key.key.toLowerCase() }, now) })),
  ],
  [
    'shows appointments of other organizations',
    'organization-first',
    (store) => {
      const owners = new Map<string, string>();
      const commit: SchedulingStore['commit'] = (change, options) => {
        if (change.appointment?.kind === 'insert') owners.set(change.appointment.next.id, change.organizationId);
        return store.commit(change, options);
      };
      const find = (organizationId: string, id: string) =>
        store.appointments.find(owners.get(id) ?? organizationId, id);
      return { ...store, commit, appointments: { ...store.appointments, find } };
    },
  ],
  [
    'writes the answer of a change that it refuses',
    'all-or-nothing',
    (store) => ({
      ...store,
      commit: async (change, options) => {
        const result = await store.commit(change, options);
        const { organizationId, request } = change;
        if (result.status === 'stale' && request !== undefined)
          await store.commit({ organizationId, events: [], request });
        return result;
      },
    }),
  ],
  [
    'lets the last writer win',
    'stale',
    misread(async (change, store) => {
      if (change.appointment?.kind !== 'update') return change;
      const { next } = change.appointment;
      const found = await store.appointments.find(change.organizationId, next.id);
      return { ...change, appointment: { ...change.appointment, expectedVersion: found?.version ?? 0 } };
    }),
  ],
  ['never looks at the signal', 'last-look', (store) => ({ ...store, commit: (change) => store.commit(change) })],
  [
    'takes a taken id of an event for an outcome',
    'event-ids',
    (store) => ({
      ...store,
      commit: async (change, options) => {
        try {
          return await store.commit(change, options);
        } catch (error) {
          if (error instanceof StoreError && error.code !== 'unavailable') return { status: 'stale' };
          throw error;
        }
      },
    }),
  ],
  [
    'takes a filter without alternatives for none',
    'filters',
    instead('appointments', ({ list }) => ({
      list: ({ states, ...query }) => list({ ...query, states: states?.length === 0 ? undefined : states }),
    })),
  ],
  [
    'tells the items of a page for the total',
    'pages',
    instead('appointments', ({ list }) => ({
      list: async (query) => {
        const { items } = await list(query);
        return { items, total: items.length };
      },
    })),
  ],
  [
    'tells the versions that it had before',
    'pages',
    instead('appointments', ({ listVersions }) => ({
      listVersions: async (query) => ((await listVersions?.(query)) ?? []).map((each) => ({ ...each, version: 1 })),
    })),
  ],
  [
    'begins each page of profiles with the first one',
    'customer-search',
    instead('customers', ({ findByContact }) => ({
      findByContact: ({ after: _, ...search }) => findByContact(search),
    })),
  ],
  [
    'knows no application when it walks',
    'eligible',
    instead('appointments', ({ listEligible }) => ({
      listEligible: (organizationId, { after, limit }) => listEligible(organizationId, { after, limit }),
    })),
  ],
  [
    'counts the end of a window in',
    'windows',
    instead('appointments', ({ countStarting }) => ({
      countStarting: ({ windows, ...query }) =>
        countStarting({ ...query, windows: windows.map(({ from, to }) => ({ from, to: to + 1 })) }),
    })),
  ],
  ['has no guard', 'guard', misread(({ guard: _, ...change }) => change)],
  [
    'claims without a lease',
    'due',
    instead('appointments', ({ claimDue }) => ({ claimDue: (claim) => claimDue({ ...claim, leaseUntil: claim.now }) })),
  ],
  ['is never awaited', 'next-wake', (store) => ({ ...store, nextWakeAt: () => Promise.resolve(null) })],
  [
    'lets a second effect of a request pass',
    'requests',
    misread(async ({ request, ...change }, { requests }) =>
      request === undefined || (await requests.find(request, request.at)) !== undefined
        ? change
        : { ...change, request },
    ),
  ],
  ['keeps answers for ever', 'request-expiry', instead('requests', ({ find }) => ({ find: (key) => find(key, 0) }))],
  ['purges all at once', 'purges', instead('requests', ({ purge }) => ({ purge: (now) => purge(now, Infinity) }))],
  [
    'mixes the profile with the one before',
    'profiles',
    misread(async (change, { customers }) => ({
      ...change,
      customers: await Promise.all(
        (change.customers ?? []).map(async (each) => ({
          ...(await customers.find(each.organizationId, each.appointmentId, each.participantId)),
          ...each,
        })),
      ),
    })),
  ],
  [
    'tells cases of e-mail addresses apart',
    'code-points',
    instead('customers', ({ findByContact }) => ({
      findByContact: async (search) =>
        (await findByContact(search)).filter(
          ({ primaryEmail }) => search.primaryEmail === undefined || search.primaryEmail === primaryEmail,
        ),
    })),
  ],
  [
    'puts a challenge in the place of any',
    'challenges',
    instead('customers', ({ findChallenge, putChallenge }) => ({
      putChallenge: async (next) =>
        putChallenge(next, (await findChallenge(next.organizationId, next.subject))?.challengeId),
    })),
  ],
  [
    'counts one try too many',
    'tries',
    instead('customers', ({ countTry }) => ({
      countTry: (attempt) => countTry({ ...attempt, limit: attempt.limit + 1 }),
    })),
  ],
  [
    'issues a ticket over any other',
    'tickets',
    misread(async (change, { customers }) => {
      if (change.ticket === undefined) return change;
      const expectedNonce = (await customers.findTicket(change.ticket.next))?.nonce;
      return { ...change, ticket: { ...change.ticket, expectedNonce } };
    }),
  ],
  ['asks no proof', 'proof', misread(({ proof: _, ...change }) => change)],
  [
    'lets a session that was ended go on',
    'proof',
    misread(({ proof, ...change }) => ({ ...change, proof: proof && { ...proof, session: undefined } })),
  ],
  [
    'lets the later events of an appointment go when one is parked',
    'event-parking',
    instead('events', ({ settle }) => ({
      settle: (outcomes) =>
        settle(outcomes.map((each) => (each.status === 'parked' ? { ...each, status: 'delivered' as const } : each))),
    })),
  ],
  [
    'lets anybody settle an event',
    'event-outcomes',
    instead('events', ({ claim, settle }) => {
      const tokens = new Map<string, string>();
      return {
        claim: async (given) => {
          const claimed = await claim(given);
          for (const { event, token } of claimed) tokens.set(event.id, token);
          return claimed;
        },
        settle: (outcomes) =>
          settle(outcomes.map((each) => ({ ...each, token: tokens.get(each.eventId) ?? each.token }))),
      };
    }),
  ],
  [
    'writes a notification twice',
    'dedupe-key',
    misread((change) => ({
      ...change,
      notifications: {
        ...change.notifications,
        add: change.notifications?.add?.map(({ next, events }) => ({
          next: { ...next, dedupeKey: `${next.dedupeKey} ${next.id}` },
          events,
        })),
      },
    })),
  ],
  [
    'cancels what was not asked for',
    'cancellations',
    misread((change) => ({
      ...change,
      notifications: { ...change.notifications, cancel: cancelling(change).map(({ types: _, ...rest }) => rest) },
    })),
  ],
  [
    'keeps to itself what is being sent',
    'sends-in-flight',
    (store) => ({
      ...store,
      commit: async (change, options) => {
        const result = await store.commit(change, options);
        return result.status === 'committed' ? { status: 'committed' } : result;
      },
    }),
  ],
  [
    'writes any outcome',
    'outcomes',
    instead('notifications', ({ find, settle }) => ({
      settle: async (updates) =>
        settle(
          await Promise.all(
            updates.map(async (each) => {
              const found = await find(each.next.organizationId, each.next.id);
              return { ...each, expectedRevision: found?.notification.revision ?? -1 };
            }),
          ),
        ),
    })),
  ],
  [
    'leaves reminders where they are',
    'reminders',
    instead('notifications', () => ({ releaseReminders: () => Promise.resolve() })),
  ],
  [
    'finds messages of records that are there',
    'kept-messages',
    instead('notifications', ({ list }, store) => ({
      listKept: async (search) => {
        const query = { ...search, applicationId: 'app-1', scope: { kind: 'all' } } as const;
        const page = { sortField: 'id', sortOrder: 'asc', pageNumber: 1, pageSize: 100 } as const;
        const all = (await list({ ...query, ...page })).items.map(({ notification }) => notification);
        const kept = await store.notifications.listKept(search);
        return [...kept, ...all.filter(({ phase, kept: text }) => phase === 'READY' && text !== undefined)].slice(
          0,
          search.limit,
        );
      },
    })),
  ],
  [
    'finds no messages of removed records',
    'kept-messages',
    instead('notifications', () => ({ listKept: () => Promise.resolve([]) })),
  ],
  [
    'replaces the state of an endpoint, whatever it is',
    'endpoints',
    instead('notifications', ({ putEndpoint }) => ({ putEndpoint: (key, state) => putEndpoint(key, state) })),
  ],
  [
    'shows an agent everything',
    'scopes',
    instead('notifications', ({ list }) => ({ list: (query) => list({ ...query, scope: { kind: 'all' } }) })),
  ],
  [
    'forgets the lines of removals',
    'record',
    misread((change) => (change.appointment?.kind === 'remove' ? { ...change, audit: [] } : change)),
  ],
  [
    'records no refusal on what it does not know',
    'refusals',
    instead('audit', ({ recordRefusals }) => ({
      recordRefusals: (refusals) => recordRefusals(refusals.filter(({ applicationId }) => applicationId === undefined)),
    })),
  ],
  ['takes any seal', 'seals', instead('audit', ({ seal }) => ({ seal: (given) => seal(given).then(() => true) }))],
  [
    'tells keys in the order in which they came',
    'keys',
    instead('keys', ({ add, list }) => {
      const came: number[] = [];
      return {
        add: (key) => {
          came.push(key.number);
          return add(key);
        },
        list: async () =>
          (await list()).toSorted((one, other) => came.indexOf(one.number) - came.indexOf(other.number)),
      };
    }),
  ],
  [
    'walks further than it was asked to',
    'walk',
    instead('appointments', ({ walk }) => ({ walk: ({ after }) => walk({ after, limit: 100 }) })),
  ],
  [
    'changes a key whatever it is',
    'keys',
    instead('keys', ({ change, list }) => ({
      change: async (next) => {
        const current = (await list()).find(({ number }) => number === next.number);
        return current !== undefined && change(next, current);
      },
    })),
  ],
];

describe('the conformance suite', () => {
  it.each(broken)('the conformance suite catches a store that %s (%s)', async (_, rule, change) => {
    await expectCaught(rule, change);
  });

  it('the conformance suite lets the same cases pass on a store that breaks none', async () => {
    for (const rule of new Set(broken.map(([, each]) => each)))
      expect(await failuresOf(rule, (store) => store)).toEqual([]);
  });
});
