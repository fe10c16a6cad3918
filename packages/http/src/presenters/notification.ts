import { formatDuration, formatInstant, type NotificationEvent, type NotificationStatus } from '@calends/core';
import type {
  NotificationEvent as WireNotificationEvent,
  NotificationStatus as WireNotificationStatus,
} from '@calends/http-contract';

/** A delivery status (notification document: NotificationStatus); fields without a value are `null`. */
export function presentStatus(status: NotificationStatus): WireNotificationStatus {
  return {
    ...presentShared(status),
    canRetry: status.canRetry,
    createdAt: formatInstant(status.createdAt),
    nextRetryAt: instantOrNull(status.nextRetryAt),
    updatedAt: formatInstant(status.updatedAt),
  };
}

/** A delivery event (notification document: NotificationEvent); fields without a value are `null`. */
export function presentEvent(event: NotificationEvent): WireNotificationEvent {
  return {
    ...presentShared(event),
    statusId: event.statusId,
    conversationId: event.conversationId ?? null,
    messageId: event.messageId ?? null,
    pollAttempts: event.pollAttempts ?? null,
    timestamp: formatInstant(event.timestamp),
  };
}

function presentShared(entry: NotificationStatus | NotificationEvent) {
  const { displayName, reasonCode, type } = entry.recipient;
  return {
    id: entry.id,
    appointmentId: entry.appointmentId,
    channel: entry.channel,
    errorMessage: entry.errorMessage ?? null,
    message: entry.message ?? null,
    nextPollAt: instantOrNull(entry.nextPollAt),
    offset: entry.offset === undefined ? null : formatDuration(entry.offset),
    providerStatus: entry.providerStatus ?? null,
    recipient: { displayName, reasonCode, type },
    retryCount: entry.retryCount,
    scheduledFor: instantOrNull(entry.scheduledFor),
    status: entry.status,
    type: entry.type,
  };
}

function instantOrNull(instant: number | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}
