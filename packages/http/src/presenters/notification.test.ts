import type { NotificationEvent, NotificationStatus } from '@calends/core/operations';
import { notificationEventSchema, notificationStatusSchema } from '@calends/http-contract';
import { expect, it } from 'vitest';
import { presentEvent, presentStatus } from './notification.js';

const at = Date.UTC(2030, 0, 2, 9);
const shownAt = '2030-01-02T09:00:00Z';
const shared = {
  id: 'n-1',
  appointmentId: 'a-1',
  channel: 'EMAIL',
  recipient: { displayName: '-', reasonCode: 'NO_NAME', type: 'CUSTOMER' },
  retryCount: 1,
  status: 'PENDING',
  type: 'REMINDER',
} as const;
const status: NotificationStatus = { ...shared, canRetry: true, createdAt: at, updatedAt: at };
const event: NotificationEvent = { ...shared, statusId: 'n-1', timestamp: at };
const timed = {
  offset: 1_800_000,
  scheduledFor: at,
  nextPollAt: at,
  message: 'm',
  errorMessage: 'e',
  providerStatus: 'p',
};
const shownTimed = {
  offset: 'PT30M',
  scheduledFor: shownAt,
  nextPollAt: shownAt,
  message: 'm',
  errorMessage: 'e',
  providerStatus: 'p',
};

/** As a client reads it. */
function sent(answer: object): object {
  return JSON.parse(JSON.stringify(answer)) as object;
}

it.each([
  [
    'a bare status',
    presentStatus(status),
    notificationStatusSchema,
    { canRetry: true, createdAt: shownAt, updatedAt: shownAt },
  ],
  [
    'a full status',
    presentStatus({ ...status, ...timed, nextRetryAt: at }),
    notificationStatusSchema,
    { canRetry: true, createdAt: shownAt, updatedAt: shownAt, ...shownTimed, nextRetryAt: shownAt },
  ],
  ['a bare event', presentEvent(event), notificationEventSchema, { statusId: 'n-1', timestamp: shownAt }],
  [
    'a full event',
    presentEvent({ ...event, ...timed, conversationId: 'c', messageId: 'm', pollAttempts: 0 }),
    notificationEventSchema,
    { statusId: 'n-1', timestamp: shownAt, ...shownTimed, conversationId: 'c', messageId: 'm', pollAttempts: 0 },
  ],
] as const)('%s has the fields of the document that apply to it, and no others', (_what, shown, schema, fields) => {
  expect(sent(shown)).toEqual({ ...shared, ...fields });
  expect(schema.parse(sent(shown))).toEqual(sent(shown));
});

it('the reason code of a recipient is null, not absent, when a name is shown (D57)', () => {
  const recipient = { displayName: 'Ada Example', reasonCode: null, type: 'CUSTOMER' } as const;
  expect(sent(presentStatus({ ...status, recipient }))).toHaveProperty('recipient.reasonCode', null);
  expect(notificationStatusSchema.safeParse(presentStatus({ ...status, recipient })).success).toBe(true);
});

it('no field that may be absent is ever null', () => {
  const shown = presentStatus(status);
  for (const name of ['errorMessage', 'message', 'nextPollAt', 'nextRetryAt', 'offset', 'scheduledFor'] as const) {
    expect(notificationStatusSchema.safeParse({ ...shown, [name]: null }).success).toBe(false);
  }
});
