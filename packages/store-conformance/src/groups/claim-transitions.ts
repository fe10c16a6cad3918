import type { DeliveryPhase, Notification } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { adding } from '../fixtures/notifications.js';
import { added, commitAll } from '../steps.js';

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

const ofTransitions = transitions.map(({ found, says, before = {}, after }): Case =>
  it(`a notification found in ${found} ${says}`, async (store, a) => {
    const row = await added(store, a.notificationIn(found, { ...before }));
    const { claimed } = await store.notifications.claim(claim);
    const { nextPollAt, ...rest } = row;
    const expected = a.notificationIn(found, {
      ...rest,
      nextPollAt: found === 'SUBMITTED' || found === 'POLLING' ? undefined : nextPollAt,
      ...after,
      wakeAt: now + leaseFor,
      revision: row.revision + 1,
    });
    const [one] = claimed;
    expect([claimed.length, one?.found, one?.dueAt, one?.updatedBefore]).toEqual([
      1,
      found,
      fixtureStart,
      row.updatedAt,
    ]);
    expect(one?.notification).toEqual(expected);
    await expect.updated(store, { next: expected, events: [] });
  }),
);

export const claimTransitionsGroup = group('a claim moves a notification on', [
  { rule: 'transitions', emptyStore: true },
  ...ofTransitions,
  it('a notification that waits for a call of its provider, or is over, is not claimed', async (store, a) => {
    const rows = [
      a.notificationIn('SUBMITTED', { id: 'n-1', wakeAt: null, nextPollAt: undefined }),
      a.notificationIn('DONE', { id: 'n-2' }),
    ];
    await commitAll(store, adding(...rows));
    expect((await store.notifications.claim(claim)).claimed).toEqual([]);
    await expect.notifications(store, ...rows);
  }),
  it('rows of all phases in one claim, each moved by its own rule', async (store, a) => {
    const phases = ['READY', 'RETRY_WAIT', 'SENDING', 'SUBMITTED', 'POLLING'] as const;
    const rows = phases.map((phase, index) => a.notificationIn(phase, { id: phase, wakeAt: fixtureStart + index }));
    await commitAll(store, adding(...rows));
    const { claimed } = await store.notifications.claim(claim);
    const told = claimed.map(({ found, dueAt, notification: { phase, attempts, pollAttempts, lostClaims } }) =>
      [found, dueAt - fixtureStart, phase, attempts, pollAttempts, lostClaims].join(' '),
    );
    expect(told).toEqual([
      'READY 0 SENDING 1 0 0',
      'RETRY_WAIT 1 SENDING 2 0 0',
      'SENDING 2 SENDING 2 0 1',
      'SUBMITTED 3 POLLING 1 1 0',
      'POLLING 4 POLLING 1 2 0',
    ]);
    await expect.notifications(store, ...claimed.map(({ notification }) => notification));
  }),
]);
