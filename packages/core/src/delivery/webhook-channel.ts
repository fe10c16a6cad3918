import { formatDuration, formatInstant } from '@calends/model';
import type { Appointment } from '../domain/appointments/appointment.js';
import { assignedAgents } from '../domain/appointments/participants.js';
import { eventSchedule } from '../domain/appointments/schedule.js';
import { andThen } from '../support/maybe-promise.js';
import type { SendResult } from '../domain/notifications/provider-answers.js';
import type { WebhookNotifier } from '../ports/notifier.js';
import type { WebhookEndpoint } from '../settings/notification-settings.js';
import { forwardedHeaders } from './forwarded-headers.js';
import { payloadOf } from './payload.js';
import type { WebhookMessage } from '../domain/notifications/messages.js';
import type { Notification } from '../domain/notifications/notification.js';
import { reasons } from '../domain/notifications/reasons.js';
import { providerOf } from './customer-channels.js';
import { type Composable, type DeliveryChannel, messageContext } from './delivery-channel.js';
import { endpointKeyOf, type EndpointStates } from './endpoint-states.js';

/** Web hooks of an application (D59). */
export function webhookChannel(notifier: WebhookNotifier, endpoints: EndpointStates): DeliveryChannel {
  return {
    ...providerOf(notifier),
    channel: 'WEBHOOKS',
    compose: (subject) => {
      const { notification, settings } = subject;
      const endpoint = settings.notifications.webhooks.find(({ id }) => id === notification.addressee.id);
      if (endpoint === undefined) return { refusal: reasons.endpointUnknown };
      const key = endpointKeyOf(notification, endpoint);
      return andThen(endpoints.isDisabled(key), (isDisabled) => {
        if (isDisabled) return { refusal: reasons.endpointDisabled };
        const message = messageOf(subject, endpoint);
        const { body } = message;
        return {
          // Of a removed record the body is not all: the next attempt asks again whether it is wanted.
          kept: () => JSON.stringify({ ...payloadOf(notification), body }),
          send: (attempt) => notifier.send(message, attempt),
          ended: (result) => endpoints.record(key, resultOf(result)),
        };
      });
    },
  };
}

function messageOf(
  { notification, appointment, settings, now }: Composable,
  endpoint: WebhookEndpoint,
): WebhookMessage {
  return {
    ...messageContext(notification),
    channel: 'WEBHOOKS',
    endpoint,
    body: payloadOf(notification).body ?? bodyOf(notification, appointment),
    headers: forwardedHeaders(appointment, settings),
    timestamp: Math.floor(now / 1000),
  };
}

function resultOf(result: SendResult): 'delivered' | 'failed' | 'gone' {
  if (result.status === 'failed') return result.endpointGone === true ? 'gone' : 'failed';
  return result.status === 'unknown' ? 'failed' : 'delivered';
}

/** `{id, type, timestamp, payload}` (D59); thin as domain events are: ids, state and schedule, nothing personal (D47). */
function bodyOf(notification: Notification, appointment: Appointment): string {
  const { offset, scheduledFor } = notification;
  return JSON.stringify({
    id: notification.id,
    type: notification.type,
    timestamp: formatInstant(notification.createdAt),
    payload: {
      eventId: notification.sourceEventId,
      organizationId: appointment.organizationId,
      applicationId: appointment.applicationId,
      appointmentId: appointment.id,
      version: appointment.version,
      state: appointment.state,
      interactionState: appointment.interaction.state,
      schedule: eventSchedule(appointment.schedule),
      organizer: { id: appointment.organizer.id, type: appointment.organizer.type },
      agentIds: assignedAgents(appointment),
      participants: appointment.participants.map(({ id, type }) => ({ id, type })),
      offset: offset === undefined ? undefined : formatDuration(offset),
      scheduledFor: scheduledFor === undefined ? undefined : formatInstant(scheduledFor),
    },
  });
}
