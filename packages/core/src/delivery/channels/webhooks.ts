import { formatDuration, formatInstant, mayBeForwarded } from '@calends/model';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { assignedAgents } from '../../domain/appointments/participants.js';
import { eventSchedule } from '../../domain/appointments/schedule.js';
import type { WebhookMessage } from '../../ports/notifier.js';
import type { Notification } from '../../domain/notifications/notification.js';
import type { SendResult } from '../../domain/notifications/provider-answers.js';
import { reasons } from '../../domain/notifications/reasons.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { NotificationSettings, WebhookEndpoint } from '../../settings/notification-settings.js';
import { andThen } from '../../support/host-answers.js';
import { plainCopy } from '../../support/plain-copy.js';
import { type Channel, type Composable, messageContext, openWith } from './channel.js';
import { endpointKeyOf } from './endpoint-states.js';

const channel = 'WEBHOOKS';

/** Web hooks of an application (D59). */
export const webhooks: Channel = {
  refusal: (settings, { id }) => (endpointOf(settings, id) === undefined ? reasons.endpointUnknown : undefined),
  // Receivers know what they had by its id.
  mayResend: () => true,
  open: (notifiers, { endpoints }) =>
    openWith(channel, notifiers.webhooks, (subject, send) => {
      const { notification, settings } = subject;
      const endpoint = endpointOf(settings.notifications, notification.addressee.id);
      if (endpoint === undefined) return { refusal: reasons.endpointUnknown };
      const key = endpointKeyOf(notification, endpoint);
      return andThen(endpoints.isDisabled(key), (isDisabled) => {
        if (isDisabled) return { refusal: reasons.endpointDisabled };
        const message = messageOf(subject, endpoint);
        return {
          body: message.body,
          send: send(message),
          ended: (result) => endpoints.record(key, resultOf(result)),
        };
      });
    }),
};

function endpointOf({ webhooks }: NotificationSettings, endpointId: string): WebhookEndpoint | undefined {
  return webhooks.find(({ id }) => id === endpointId);
}

function messageOf(
  { notification, appointment, settings, body, now }: Composable,
  endpoint: WebhookEndpoint,
): WebhookMessage {
  return {
    channel,
    // A copy: settings are read once for many calls.
    endpoint: plainCopy(endpoint),
    body: body ?? bodyOf(notification, appointment),
    headers: forwardedHeaders(appointment, settings),
    timestamp: Math.floor(now / 1000),
    ...messageContext(notification),
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

/**
 * The headers of an appointment that calls of web hooks carry (D63).
 *
 * Of customers only what the application names; of staff whatever it does not leave out; never a name that proxies,
 * identity layers, signatures or caches read, be it kept from before.
 */
export function forwardedHeaders(
  { notificationHeaders, notificationHeadersBy }: Pick<Appointment, 'notificationHeaders' | 'notificationHeadersBy'>,
  settings: Pick<ApplicationSettings, 'customerNotificationHeaders' | 'staffNotificationHeaders'>,
): Readonly<Record<string, string>> {
  const named =
    notificationHeadersBy === 'CUSTOMER' ? settings.customerNotificationHeaders : settings.staffNotificationHeaders;
  const allowed = named && new Set(named.map((name) => name.toLowerCase()));
  const goes = (name: string): boolean => mayBeForwarded(name) && (allowed?.has(name.toLowerCase()) ?? true);
  return Object.fromEntries(Object.entries(notificationHeaders).filter(([name]) => goes(name)));
}
