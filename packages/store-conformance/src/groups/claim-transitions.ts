import assert from 'node:assert/strict';
import type { DeliveryPhase, Notification } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, deliveryEventsOf, expectNotifications } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { adding, deliveryEvent, notificationIn } from '../fixtures/notifications.js';

const now = fixtureStart + hour;
const leaseFor = 45_000;
const claim = { channel: 'EMAIL', limit: 100, leaseFor, now } as const;

/** As rows are that have been through much: nothing of it may be lost or reset. */
const worn: Partial<Notification> = {
  attempts: 4,
  manualRetries: 2,
  lostClaims: 1,
  unknownOutcomes: 3,
  pollAttempts: 7,
  revision: 19,
  messageId: 'message-9',
  conversationId: 'conversation-9',
  providerStatus: 'sending',
  message: 'Message.',
  errorMessage: 'Error.',
  submittedAt: fixtureStart - minute,
  cancelRequestedAt: fixtureStart - 1,
  kept: '{"body":"x"}',
};

interface Transition {
  readonly found: Exclude<DeliveryPhase, 'DONE'>;
  readonly says: string;
  readonly before?: Partial<Notification>;
  readonly after: Partial<Notification>;
}

const sent = { phase: 'SENDING', status: 'PENDING', updatedAt: now } as const;

const transitions: readonly Transition[] = [
  { found: 'READY', says: 'becomes SENDING, its first attempt', after: { ...sent, attempts: 1 } },
  { found: 'READY', says: 'keeps all that it has been through', before: worn, after: { ...sent, attempts: 5 } },
  {
    found: 'RETRY_WAIT',
    says: 'becomes SENDING, one attempt more, and waits for no retry',
    before: { ...worn, nextRetryAt: fixtureStart },
    after: { ...sent, attempts: 5, nextRetryAt: undefined },
  },
  {
    found: 'SENDING',
    says: 'whose claim ran out is sent again, one attempt and one lost claim more',
    before: worn,
    after: { ...sent, attempts: 5, lostClaims: 2 },
  },
  { found: 'SUBMITTED', says: 'becomes POLLING, its first poll', after: { phase: 'POLLING', pollAttempts: 1 } },
  {
    found: 'SUBMITTED',
    says: 'keeps all that it has been through',
    before: { ...worn, nextPollAt: fixtureStart },
    after: { phase: 'POLLING', pollAttempts: 8 },
  },
  {
    found: 'POLLING',
    says: 'whose claim ran out is polled again, one poll more and no lost claim',
    before: { ...worn, nextPollAt: fixtureStart },
    after: { phase: 'POLLING', pollAttempts: 8 },
  },
];

const ofTransitions = transitions.map(({ found, says, before = {}, after }): ConformanceCase => ({
  name: `one found in ${found} ${says}`,
  emptyStore: true,
  async run({ store, organizationId }) {
    const row = notificationIn(found, { organizationId, ...before });
    await commitAll(store, adding(row));
    const { claimed } = await store.claimNotifications(claim);
    const { nextPollAt, ...rest } = row;
    const expected = notificationIn(found, {
      ...rest,
      nextPollAt: found === 'SUBMITTED' || found === 'POLLING' ? undefined : nextPollAt,
      ...after,
      wakeAt: now + leaseFor,
      revision: row.revision + 1,
    });
    assert.deepEqual(
      claimed.map((one) => [one.found, one.dueAt, one.updatedBefore]),
      [[found, fixtureStart, row.updatedAt]],
    );
    assert.deepStrictEqual(claimed[0]?.notification, expected);
    await expectNotifications(store, expected);
    assert.deepStrictEqual(await deliveryEventsOf(store, row), [deliveryEvent()]);
  },
}));

export const claimTransitionsGroup: ConformanceGroup = {
  name: 'a claim moves a notification on',
  cases: [
    ...ofTransitions,
    {
      name: 'one that waits for a call of its provider, or is over, is not claimed',
      emptyStore: true,
      async run({ store, organizationId }) {
        const rows = [
          notificationIn('SUBMITTED', { organizationId, id: 'n-1', wakeAt: null, nextPollAt: undefined }),
          notificationIn('DONE', { organizationId, id: 'n-2' }),
        ];
        await commitAll(store, adding(...rows));
        assert.deepEqual((await store.claimNotifications(claim)).claimed, []);
        await expectNotifications(store, ...rows);
      },
    },
    {
      name: 'rows of all phases in one claim, each moved by its own rule',
      emptyStore: true,
      async run({ store, organizationId }) {
        const phases = ['READY', 'RETRY_WAIT', 'SENDING', 'SUBMITTED', 'POLLING'] as const;
        const rows = phases.map((phase, index) =>
          notificationIn(phase, { organizationId, id: phase, wakeAt: fixtureStart + index }),
        );
        await commitAll(store, adding(...rows));
        const { claimed } = await store.claimNotifications(claim);
        assert.deepEqual(
          claimed.map(({ found, dueAt, notification }) => [found, dueAt - fixtureStart, notification.phase]),
          [
            ['READY', 0, 'SENDING'],
            ['RETRY_WAIT', 1, 'SENDING'],
            ['SENDING', 2, 'SENDING'],
            ['SUBMITTED', 3, 'POLLING'],
            ['POLLING', 4, 'POLLING'],
          ],
        );
        assert.deepEqual(
          claimed.map(({ notification: { attempts, pollAttempts, lostClaims } }) => [
            attempts,
            pollAttempts,
            lostClaims,
          ]),
          [
            [1, 0, 0],
            [2, 0, 0],
            [2, 0, 1],
            [1, 1, 0],
            [1, 2, 0],
          ],
        );
        await expectNotifications(store, ...claimed.map(({ notification }) => notification));
      },
    },
  ],
};
