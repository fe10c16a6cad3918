import assert from 'node:assert/strict';
import type { Notification, SchedulingStore } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, deliveryEventsOf, expectNotifications } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { adding, changed, deliveryEvent, notification, notificationIn, notifying } from '../fixtures/notifications.js';

const leaseFor = minute;
const claim = { channel: 'EMAIL', limit: 1000, leaseFor, now: fixtureStart } as const;
const delivered = { phase: 'DONE', status: 'DELIVERED', wakeAt: null, kept: undefined } as const;

/** Claims the only due notification. */
async function claimOne(store: SchedulingStore, now = fixtureStart): Promise<Notification> {
  const { claimed } = await store.claimNotifications({ ...claim, now });
  assert.equal(claimed.length, 1);
  return (claimed[0] as (typeof claimed)[0]).notification;
}

const outcomes: readonly (readonly [name: string, outcome: Partial<Notification>])[] = [
  ['it was delivered', { ...delivered, messageId: 'm-1', providerStatus: 'delivered' }],
  [
    'the provider took it',
    {
      phase: 'SUBMITTED',
      wakeAt: fixtureStart + 15,
      nextPollAt: fixtureStart + 15,
      submittedAt: fixtureStart + 1,
      messageId: 'm-1',
      conversationId: 'c-1',
      providerStatus: 'queued',
    },
  ],
  ['the provider took it and calls back', { phase: 'SUBMITTED', wakeAt: null, submittedAt: fixtureStart }],
  [
    'it is to be tried again',
    { phase: 'RETRY_WAIT', wakeAt: fixtureStart + 9, nextRetryAt: fixtureStart + 9, errorMessage: 'Busy.' },
  ],
  ['it failed for good', { phase: 'DONE', status: 'FAILED', wakeAt: null, errorMessage: 'Refused.', kept: '{}' }],
  [
    'it was given back before it was sent',
    { phase: 'READY', status: 'INITIALIZED', wakeAt: fixtureStart, attempts: 0 },
  ],
];

const ofOutcomes = outcomes.map(([name, outcome]): ConformanceCase => ({
  name: `an outcome is written with its event: ${name}`,
  emptyStore: true,
  async run({ store, organizationId }) {
    await commitAll(store, adding(notification({ organizationId, kept: '{"body":1}' })));
    const claimed = await claimOne(store);
    const settled = changed(claimed, outcome, { message: 'Told.', providerStatus: outcome.providerStatus });
    assert.deepEqual(await store.settleNotifications([settled]), [true]);
    await expectNotifications(store, settled.next);
    assert.deepStrictEqual(await deliveryEventsOf(store, claimed), [deliveryEvent(), ...settled.events]);
    const { wakeAt } = settled.next;
    const { claimed: due } = await store.claimNotifications({ ...claim, now: fixtureStart + 10 * minute });
    assert.deepEqual(
      due.map(({ dueAt }) => dueAt),
      wakeAt === null ? [] : [wakeAt],
    );
  },
}));

export const notificationSettlingGroup: ConformanceGroup = {
  name: 'outcomes are written by whoever holds the revision',
  cases: [
    ...ofOutcomes,
    {
      name: 'nothing to settle settles nothing',
      async run({ store }) {
        assert.deepEqual(await store.settleNotifications([]), []);
      },
    },
    {
      name: 'an outcome without an event and one with several',
      async run({ store, organizationId }) {
        const quiet = notificationIn('POLLING', { organizationId, id: 'n-1' });
        const loud = notificationIn('SENDING', { organizationId, id: 'n-2' });
        await commitAll(store, adding(quiet, loud));
        const events = [2, 3, 4].map((number) => deliveryEvent({ number, timestamp: fixtureStart, status: 'PENDING' }));
        const without = { ...quiet, phase: 'SUBMITTED' as const, revision: 2 };
        const withThree = notification({ ...loud, ...delivered, revision: 2, eventCount: 4 });
        const updates = [
          { expectedRevision: 1, next: without, events: [] },
          { expectedRevision: 1, next: withThree, events },
        ];
        assert.deepEqual(await store.settleNotifications(updates), [true, true]);
        await expectNotifications(store, without, withThree);
        assert.deepStrictEqual(await deliveryEventsOf(store, quiet), [deliveryEvent()]);
        assert.deepStrictEqual(await deliveryEventsOf(store, loud), [deliveryEvent(), ...events]);
      },
    },
    {
      name: 'each outcome is answered in its place: of other revisions, unknown and foreign ones nothing is written',
      async run({ store, organizationId, organization }) {
        const rows = ['n-1', 'n-2', 'n-3', 'n-4'].map((id) =>
          notificationIn('SENDING', { organizationId, id, revision: 5 }),
        );
        const [first, second, third, fourth] = rows as [Notification, Notification, Notification, Notification];
        await commitAll(store, adding(...rows));
        const foreign = { ...fourth, organizationId: organization('foreign') };
        const updates = [
          changed({ ...second, revision: 4 }, delivered),
          changed(first, delivered),
          changed({ ...fourth, id: 'unknown' }, delivered),
          changed(foreign, delivered),
          changed({ ...third, revision: 6 }, delivered),
        ];
        assert.deepEqual(await store.settleNotifications(updates), [false, true, false, false, false]);
        await expectNotifications(store, changed(first, delivered).next, second, third, fourth);
        for (const row of [second, third, fourth]) {
          assert.deepEqual(await deliveryEventsOf(store, row), [deliveryEvent()]);
        }
        assert.equal(await store.findNotification(foreign.organizationId, foreign.id), undefined);
      },
    },
    {
      name: 'an outcome is written once: the same again is refused',
      async run({ store, organizationId }) {
        const row = notificationIn('SENDING', { organizationId });
        await commitAll(store, adding(row));
        const settled = changed(row, delivered);
        assert.deepEqual(await store.settleNotifications([settled]), [true]);
        assert.deepEqual(await store.settleNotifications([settled]), [false]);
        await expectNotifications(store, settled.next);
        assert.deepEqual(await deliveryEventsOf(store, row), [deliveryEvent(), ...settled.events]);
      },
    },
    {
      name: 'the outcome of a claim that ran out is refused once somebody claimed again',
      emptyStore: true,
      async run({ store, organizationId }) {
        await commitAll(store, adding(notification({ organizationId })));
        const lost = await claimOne(store);
        const held = await claimOne(store, fixtureStart + leaseFor);
        assert.deepEqual(await store.settleNotifications([changed(lost, delivered)]), [false]);
        await expectNotifications(store, held);
        assert.deepEqual(await store.settleNotifications([changed(held, delivered)]), [true]);
      },
    },
    {
      name: 'the mere end of the lease does not matter',
      emptyStore: true,
      async run({ store, organizationId }) {
        await commitAll(store, adding(notification({ organizationId, wakeAt: 1 })));
        const claimed = await claimOne(store, 1);
        assert.deepEqual(await store.settleNotifications([changed(claimed, delivered)]), [true]);
      },
    },
    {
      name: 'a cancellation between claim and outcome has the outcome refused, until the row is read again',
      emptyStore: true,
      async run({ store, organizationId }) {
        await commitAll(store, adding(notification({ organizationId })));
        const claimed = await claimOne(store);
        const cancel = [{ appointmentId: claimed.appointmentId, message: 'Moved.', at: fixtureStart + 1 }];
        const result = await store.commit(notifying(organizationId, { cancel }));
        assert.deepEqual(result, { status: 'committed', sending: [claimed.id] });
        assert.deepEqual(await store.settleNotifications([changed(claimed, delivered)]), [false]);
        const marked = { ...claimed, cancelRequestedAt: fixtureStart + 1, revision: claimed.revision + 1 };
        await expectNotifications(store, marked);
        assert.deepEqual(await store.settleNotifications([changed(marked, delivered)]), [true]);
        await expectNotifications(store, changed(marked, delivered).next);
      },
    },
    {
      name: 'an update in a commit and an outcome of the same revision: the second one is refused',
      async run({ store, organizationId }) {
        const [first, second] = ['n-1', 'n-2'].map((id) => notificationIn('SUBMITTED', { organizationId, id }));
        assert.ok(first !== undefined && second !== undefined);
        await commitAll(store, adding(first, second), notifying(organizationId, { update: changed(first, delivered) }));
        assert.deepEqual(await store.settleNotifications([changed(first, delivered)]), [false]);
        assert.deepEqual(await store.settleNotifications([changed(second, delivered)]), [true]);
        const late = await store.commit(notifying(organizationId, { update: changed(second, delivered) }));
        assert.deepEqual(late, { status: 'stale' });
      },
    },
    {
      name: 'five hundred outcomes of two organizations in one call',
      async run({ store, organizationId, organization }) {
        const rows = Array.from({ length: 500 }, (_, index) =>
          notificationIn('SENDING', {
            organizationId: index % 2 === 0 ? organizationId : organization('other'),
            id: `n-${index}`,
            attempts: index,
          }),
        );
        const [mine, theirs] = [rows.filter((_, index) => index % 2 === 0), rows.filter((_, index) => index % 2 === 1)];
        await commitAll(store, adding(...mine), adding(...theirs));
        const updates = rows.map((row, index) =>
          changed(index % 10 === 0 ? { ...row, revision: 9 } : row, { ...delivered, messageId: `m-${index}` }),
        );
        const answers = await store.settleNotifications(updates);
        assert.deepEqual(
          answers,
          rows.map((_, index) => index % 10 !== 0),
        );
        const expected = updates.map(({ next }, index) => (index % 10 === 0 ? (rows[index] as Notification) : next));
        await expectNotifications(store, ...expected);
      },
    },
    {
      name: 'of twenty outcomes of one revision at once one is written',
      async run({ store, organizationId }) {
        const row = notificationIn('SENDING', { organizationId });
        await commitAll(store, adding(row));
        const updates = Array.from({ length: 20 }, (_, index) =>
          changed(row, { ...delivered, messageId: `m-${index}` }),
        );
        const answers = await Promise.all(updates.map((one) => store.settleNotifications([one])));
        assert.equal(answers.filter(([isWritten]) => isWritten).length, 1);
        const winner = updates[answers.findIndex(([isWritten]) => isWritten)];
        assert.ok(winner !== undefined);
        await expectNotifications(store, winner.next);
        assert.deepStrictEqual(await deliveryEventsOf(store, row), [deliveryEvent(), ...winner.events]);
      },
    },
    {
      name: 'outcomes of many rows at once, in calls that overlap in other orders, are all written',
      async run({ store, organizationId }) {
        const rows = Array.from({ length: 60 }, (_, index) =>
          notificationIn('SENDING', { organizationId, id: `n-${index}` }),
        );
        await commitAll(store, adding(...rows));
        const updates = rows.map((row) => changed(row, delivered));
        // Each row in three calls: of each, one must be told that it was written.
        const answers = await Promise.all([
          store.settleNotifications(updates),
          store.settleNotifications(updates.toReversed()),
          store.settleNotifications(updates.toSorted((a, b) => (a.next.id < b.next.id ? -1 : 1))),
        ]);
        const written = answers.flat().filter((isWritten) => isWritten).length;
        assert.equal(written, rows.length);
        await expectNotifications(store, ...updates.map(({ next }) => next));
      },
    },
  ],
};
