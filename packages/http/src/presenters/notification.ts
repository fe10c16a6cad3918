import {
  type EndpointDetails,
  type EndpointStatus,
  formatDuration,
  formatInstant,
  type NotificationEvent,
  type NotificationStatus,
} from '@calends/core/operations';
import type {
  NotificationEvent as WireNotificationEvent,
  NotificationStatus as WireNotificationStatus,
  WebhookEndpoint,
  WebhookEndpointDetails,
} from '@calends/http-contract';

/*
 * A field that does not apply to a row is absent from it: it is `undefined` here, which JSON leaves out. So every row is
 * one literal of one shape, and nothing is copied or deleted.
 */

/** A delivery status (notification document: NotificationStatus). */
export function presentStatus(status: NotificationStatus): WireNotificationStatus {
  const { displayName, reasonCode, type } = status.recipient;
  return {
    id: status.id,
    appointmentId: status.appointmentId,
    canRetry: status.canRetry,
    channel: status.channel,
    createdAt: formatInstant(status.createdAt),
    errorMessage: status.errorMessage,
    message: status.message,
    nextPollAt: shownInstant(status.nextPollAt),
    nextRetryAt: shownInstant(status.nextRetryAt),
    offset: shownOffset(status.offset),
    providerStatus: status.providerStatus,
    recipient: { displayName, reasonCode, type },
    retryCount: status.retryCount,
    scheduledFor: shownInstant(status.scheduledFor),
    status: status.status,
    type: status.type,
    updatedAt: formatInstant(status.updatedAt),
  };
}

/** A delivery event (notification document: NotificationEvent). */
export function presentEvent(event: NotificationEvent): WireNotificationEvent {
  const { displayName, reasonCode, type } = event.recipient;
  return {
    id: event.id,
    statusId: event.statusId,
    appointmentId: event.appointmentId,
    channel: event.channel,
    conversationId: event.conversationId,
    messageId: event.messageId,
    errorMessage: event.errorMessage,
    message: event.message,
    nextPollAt: shownInstant(event.nextPollAt),
    offset: shownOffset(event.offset),
    pollAttempts: event.pollAttempts,
    providerStatus: event.providerStatus,
    recipient: { displayName, reasonCode, type },
    retryCount: event.retryCount,
    scheduledFor: shownInstant(event.scheduledFor),
    status: event.status,
    timestamp: formatInstant(event.timestamp),
    type: event.type,
  };
}

/** A web hook endpoint (D78). */
export function presentEndpoint(endpoint: EndpointStatus): WebhookEndpoint {
  return {
    id: endpoint.id,
    label: endpoint.label,
    types: [...endpoint.types],
    enabled: endpoint.enabled,
    failingSince: shownInstant(endpoint.failingSince),
    disabledAt: shownInstant(endpoint.disabledAt),
    disabledReason: endpoint.disabledReason,
  };
}

/** A web hook endpoint with what failed last (D78). */
export function presentEndpointDetails(endpoint: EndpointDetails): WebhookEndpointDetails {
  return {
    ...presentEndpoint(endpoint),
    lastFailures: endpoint.lastFailures.map(({ notificationId, type, at, status, errorMessage }) => ({
      statusId: notificationId,
      type,
      timestamp: formatInstant(at),
      status,
      errorMessage,
    })),
  };
}

function shownInstant(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : formatInstant(instant);
}

function shownOffset(offset: number | undefined): string | undefined {
  return offset === undefined ? undefined : formatDuration(offset);
}
