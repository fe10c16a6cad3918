import type { Instant } from '../appointments/instant.js';
import { seconds } from '../appointments/time-units.js';
import { CalendsError } from '../errors.js';
import type { ListedNotification } from '../ports/notification-store.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { type DeliveryStep, step } from './delivery-step.js';
import { keptContentOf } from './kept-content.js';
import { pollPlan } from './poll-properties.js';
import type { RetryMeans } from './retry-means.js';
import { reasonAgainstRetrying } from './still-wanted.js';

/** Retries by hand that one notification may have (D53). */
export const mostManualRetries = 5;
/** How long after a retry by hand that asks the provider there is no other one (D68). */
const betweenQuestions = seconds(15);
/** Retries by hand that ask the provider, for one notification (D68). */
export const mostQuestions = 50;

/**
 * What a retry by hand comes to: an attempt, a question to the provider that has the message, or nothing new, since it
 * is being asked.
 */
type RetryKind = 'attempt' | 'question' | 'nothing';

/** Tells whether somebody may retry a notification by hand now (D53, D68). */
export function canRetry(
  listed: ListedNotification,
  settings: NotificationSettings,
  means: RetryMeans,
  now: Instant,
): boolean {
  return retryKindOf(listed, settings, means, now) !== undefined;
}

/** `undefined` where a retry is not allowed: it could make no attempt, or there were too many. */
function retryKindOf(
  listed: ListedNotification,
  settings: NotificationSettings,
  { canAsk, isDisabled }: RetryMeans,
  now: Instant,
): RetryKind | undefined {
  const { notification, appointment } = listed;
  const { phase, status, nextRetryAt, messageId, manualRetries } = notification;
  if (manualRetries >= mostManualRetries || isDisabled || !hasAddress(listed)) return undefined;
  if (reasonAgainstRetrying({ notification, appointment, settings, now }) !== undefined) return undefined;
  if (phase !== 'SUBMITTED' && phase !== 'POLLING') {
    const waits = status === 'PENDING' && nextRetryAt !== undefined && nextRetryAt > now;
    return status === 'FAILED' || waits ? 'attempt' : undefined;
  }
  if (messageId === undefined || !canAsk || !pollPlan(settings.poll, notification.channel).enabled) return undefined;
  const { at, times } = keptContentOf(notification).asked ?? { at: -Infinity, times: 0 };
  if (times >= mostQuestions) return undefined;
  if (phase === 'POLLING') return 'nothing';
  return now - at < betweenQuestions ? undefined : 'question';
}

/** Without an address there is nothing to send. */
function hasAddress({ notification: { channel }, customer }: ListedNotification): boolean {
  switch (channel) {
    case 'EMAIL':
      return Boolean(customer?.primaryEmail);
    case 'SMS':
      return Boolean(customer?.primaryPhone);
    case 'WEBHOOKS':
      return true;
  }
}

/**
 * A retry by hand: the worker makes the attempt, at once (D52). Of a message that its provider has, the worker asks first,
 * and it is sent again only when the provider says that it failed (D68). `undefined` while it is being asked.
 *
 * @throws CalendsError `retry_not_allowed`
 */
export function retryByHand(
  listed: ListedNotification,
  settings: NotificationSettings,
  means: RetryMeans,
  by: { readonly actorId: string; readonly at: Instant },
): DeliveryStep | undefined {
  const { at } = by;
  const { notification } = listed;
  const content = keptContentOf(notification);
  const told = { wakeAt: at, message: `manual retry by ${by.actorId}`, errorMessage: undefined } as const;
  switch (retryKindOf(listed, settings, means, at)) {
    case undefined:
      throw new CalendsError('retry_not_allowed', 'The notification cannot be retried.');
    case 'nothing':
      return undefined;
    case 'question': {
      const { times = 0, polls = 0 } = content.asked ?? {};
      const kept = JSON.stringify({ ...content, asked: { at, times: times + 1, polls: polls + 1 } });
      return step('retry', notification, { ...told, nextPollAt: at, kept }, at);
    }
    case 'attempt':
      return step(
        'retry',
        notification,
        {
          ...told,
          phase: 'RETRY_WAIT',
          status: 'PENDING',
          nextRetryAt: at,
          manualRetries: notification.manualRetries + 1,
          // From here on they count the questions that precede the attempt.
          pollAttempts: 0,
          kept: JSON.stringify({ ...content, byHand: true }),
        },
        at,
      );
  }
}
