import type { Instant } from '@calends/model';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { ListedDeliveryEvent } from '../../ports/store/notifications.js';
import type { NotificationSettings } from '../../settings/notification-settings.js';
import { canRetry, type RetryMeans } from '../../delivery/manual-retry.js';
import { singleLine } from '../../messages/plain-text.js';
import {
  deliveryEventId,
  type ListedNotification,
  type Notification,
} from '../../domain/notifications/notification.js';
import type {
  NotificationEvent,
  NotificationRecipient,
  NotificationStatus,
} from '../../domain/notifications/notification-status.js';

/** A notification as its listing shows it (notification document, NotificationStatus). */
export function statusView(
  listed: ListedNotification,
  settings: NotificationSettings,
  means: RetryMeans,
  now: Instant,
): NotificationStatus {
  const { notification, customer } = listed;
  return {
    id: notification.id,
    appointmentId: notification.appointmentId,
    canRetry: canRetry(listed, settings, means, now),
    channel: notification.channel,
    createdAt: notification.createdAt,
    errorMessage: notification.errorMessage,
    message: notification.message,
    nextPollAt: notification.nextPollAt,
    nextRetryAt: notification.nextRetryAt,
    offset: notification.offset,
    providerStatus: notification.providerStatus,
    recipient: recipientOf(notification, customer),
    retryCount: notification.attempts,
    scheduledFor: notification.scheduledFor,
    status: notification.status,
    type: notification.type,
    updatedAt: notification.updatedAt,
  };
}

/** A delivery event as its listing shows it (notification document, NotificationEvent). */
export function eventView({ event, notification, customer }: ListedDeliveryEvent): NotificationEvent {
  return {
    id: deliveryEventId(notification.id, event.number),
    statusId: notification.id,
    appointmentId: notification.appointmentId,
    channel: notification.channel,
    conversationId: event.conversationId,
    messageId: event.messageId,
    errorMessage: event.errorMessage,
    message: event.message,
    nextPollAt: event.nextPollAt,
    offset: notification.offset,
    pollAttempts: event.pollAttempts > 0 ? event.pollAttempts : undefined,
    providerStatus: event.providerStatus,
    recipient: recipientOf(notification, customer),
    retryCount: event.attempts,
    scheduledFor: notification.scheduledFor,
    status: event.status,
    timestamp: event.timestamp,
    type: notification.type,
  };
}

/** Whom it goes to: a name or a label, or `-` with the reason why there is none (D57). */
export function recipientOf({ addressee }: Notification, customer: CustomerProfile | undefined): NotificationRecipient {
  const { type } = addressee;
  if (type === 'SYSTEM') {
    return addressee.label
      ? { displayName: addressee.label, reasonCode: null, type }
      : { displayName: '-', reasonCode: 'NO_NAME', type };
  }
  if (customer === undefined) return { displayName: '-', reasonCode: 'NOT_FOUND', type };
  if (customer.removal !== undefined) return { displayName: '-', reasonCode: customer.removal.reason, type };
  // People enter blanks where a form wants something.
  const name = singleLine(`${customer.firstName ?? ''} ${customer.lastName ?? ''}`);
  return name === ''
    ? { displayName: '-', reasonCode: 'NO_NAME', type }
    : { displayName: name, reasonCode: null, type };
}
