import type { NotificationEvent, NotificationStatus } from '@calends/core';
import { notificationEventSchema, notificationStatusSchema } from '@calends/http-contract';
import { expect, it } from 'vitest';
import { presentEvent, presentStatus } from './notification.js';

const at = Date.UTC(2030, 0, 2, 9);
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
  scheduledFor: '2030-01-02T09:00:00Z',
  nextPollAt: '2030-01-02T09:00:00Z',
  message: 'm',
  errorMessage: 'e',
  providerStatus: 'p',
};

it('a status has exactly the fields of the document; what has no value is null', () => {
  const bare = presentStatus(status);
  expect(notificationStatusSchema.parse(bare)).toEqual(bare);
  expect(bare).toMatchObject({ offset: null, nextRetryAt: null, scheduledFor: null, message: null, canRetry: true });
  const full = presentStatus({ ...status, ...timed, nextRetryAt: at });
  expect(full).toMatchObject({ ...shownTimed, nextRetryAt: '2030-01-02T09:00:00Z' });
});

it('an event has exactly the fields of the document; what has no value is null', () => {
  const bare = presentEvent(event);
  expect(notificationEventSchema.parse(bare)).toEqual(bare);
  expect(bare).toMatchObject({ conversationId: null, messageId: null, pollAttempts: null });
  const full = presentEvent({ ...event, ...timed, conversationId: 'c', messageId: 'm', pollAttempts: 2 });
  expect(full).toMatchObject({ ...shownTimed, conversationId: 'c', messageId: 'm', pollAttempts: 2 });
});
