import { type Change, StoreError } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../src/rules.js';
import { type Break, expectCaught, failuresOf, instead, misread } from './breaking.js';

const toSeconds = (instant: number): number => Math.floor(instant / 1000) * 1000;

const withAdded = (change: Change, made: (wakeAt: number | null) => number | null): Change => ({
  ...change,
  notifications: {
    ...change.notifications,
    add: change.notifications?.add?.map(({ next, events }) => ({
      next: { ...next, wakeAt: made(next.wakeAt) },
      events,
    })),
  },
});

/** A store whose faults are told in other words. */
const faulty =
  (fault: (change: Change) => Error): Break =>
  (store) => ({
    ...store,
    commit: (change, options) =>
      store.commit(change, options).catch((error: unknown) => {
        throw options?.signal?.aborted === true ? error : fault(change);
      }),
  });

/** Stores that are right but for a detail, by what they do wrong. */
const broken: readonly (readonly [does: string, rule: Rule, change: Break])[] = [
  [
    'cuts the lease of an appointment to seconds',
    'milliseconds',
    instead('appointments', ({ claimDue }) => ({
      claimDue: (claim) => claimDue({ ...claim, leaseUntil: toSeconds(claim.leaseUntil) }),
    })),
  ],
  [
    'cuts the lease of an event to seconds',
    'milliseconds',
    instead('events', ({ claim }) => ({
      claim: (asked) => claim({ ...asked, leaseUntil: toSeconds(asked.leaseUntil) }),
    })),
  ],
  [
    'cuts the retry of an event to seconds',
    'milliseconds',
    instead('events', ({ settle }) => ({
      settle: (outcomes) => settle(outcomes.map((each) => ({ ...each, at: toSeconds(each.at) }))),
    })),
  ],
  [
    'keeps answers to the second',
    'milliseconds',
    misread(({ request, ...change }) => ({
      ...change,
      request: request && { ...request, expiresAt: toSeconds(request.expiresAt) },
    })),
  ],
  [
    'lets a job end at the second',
    'milliseconds',
    instead('retention', ({ claim }) => ({
      claim: (asked) => claim({ ...asked, leaseFor: toSeconds(asked.leaseFor) }),
    })),
  ],
  [
    'lets what is due by now wait a minute',
    'now',
    misread((change) =>
      change.now === undefined
        ? change
        : withAdded(change, (wakeAt) => (wakeAt === null || wakeAt > (change.now ?? 0) ? wakeAt : wakeAt + 60_000)),
    ),
  ],
  [
    'takes all times of a change for those of a fast clock',
    'now',
    misread((change) => (change.now === undefined ? change : withAdded(change, (wakeAt) => (wakeAt ?? 0) - 5000))),
  ],
  [
    'throws away the events that nobody takes',
    'events-unread',
    misread((change) => (change.eventsUnread === true ? { ...change, events: [] } : change)),
  ],
  [
    'takes events that nobody takes for older ones',
    'events-unread',
    misread((change) =>
      change.eventsUnread === true
        ? { ...change, events: change.events.map((event) => ({ ...event, occurredAt: event.occurredAt - 1 })) }
        : change,
    ),
  ],
  [
    'tells in a fault what was to be written',
    'faults',
    faulty(({ events }) => new StoreError('unexpected', `The id ${events[0]?.id ?? ''} is taken.`)),
  ],
  [
    'tells in a fault which statement failed',
    'faults',
    faulty(() => new StoreError('unexpected', 'insert into events (id) values (?) - duplicate key')),
  ],
  ['has faults of another kind', 'faults', faulty(() => new Error('A key is taken.'))],
  [
    'cuts long texts',
    'round-trip',
    misread((change) => ({
      ...change,
      customers: change.customers?.map((each) =>
        each.lastName === undefined ? each : { ...each, lastName: each.lastName.slice(0, 1024) },
      ),
    })),
  ],
  [
    'knows no letter case of who has a job',
    'code-points',
    instead('retention', ({ claim }) => ({
      claim: (asked) => claim({ ...asked, holder: asked.holder.toLowerCase() }),
    })),
  ],
];

describe('the conformance suite', () => {
  it.each(broken)('the conformance suite catches a store that %s (%s)', async (_, rule, change) => {
    await expectCaught(rule, change);
  });

  it('the conformance suite lets the same cases of details pass on a store that breaks none', async () => {
    for (const rule of new Set(broken.map(([, each]) => each)))
      expect(await failuresOf(rule, (store) => store)).toEqual([]);
  });
});
