import type { Instant } from '../appointments/instant.js';
import { CalendsError } from '../errors.js';
import type { ListedNotification } from '../ports/notification-store.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { type DeliveryStep, step } from './delivery-step.js';
import { reasonAgainstRetrying } from './still-wanted.js';

/** Retries by hand that one notification may have (D53). */
export const mostManualRetries = 5;

/** Tells whether somebody may retry a notification by hand now (D53). */
export function canRetry(
  { notification, appointment }: ListedNotification,
  settings: NotificationSettings,
  now: Instant,
): boolean {
  const { status, nextRetryAt, manualRetries } = notification;
  const waits = status === 'PENDING' && nextRetryAt !== undefined && nextRetryAt > now;
  if (status !== 'FAILED' && !waits) return false;
  if (manualRetries >= mostManualRetries) return false;
  return reasonAgainstRetrying({ notification, appointment, settings, now }) === undefined;
}

/**
 * A retry by hand: the worker makes the attempt, at once (D52).
 *
 * @throws CalendsError `retry_not_allowed`
 */
export function retryByHand(
  listed: ListedNotification,
  settings: NotificationSettings,
  by: { readonly actorId: string; readonly at: Instant },
): DeliveryStep {
  if (!canRetry(listed, settings, by.at)) {
    throw new CalendsError('retry_not_allowed', 'The notification cannot be retried.');
  }
  const { notification } = listed;
  return step(
    'retry',
    notification,
    {
      phase: 'RETRY_WAIT',
      status: 'PENDING',
      wakeAt: by.at,
      nextRetryAt: by.at,
      manualRetries: notification.manualRetries + 1,
      // From here on they count the questions that precede the attempt.
      pollAttempts: 0,
      message: `manual retry by ${by.actorId}`,
      errorMessage: undefined,
    },
    by.at,
  );
}
