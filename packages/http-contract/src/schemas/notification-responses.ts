import * as z from 'zod';
import {
  notificationChannels,
  notificationStates,
  notificationTypes,
  partyTypes,
  pollPropertySources,
} from '@calends/model';
import { response, responseObject } from '../wire-documentation.js';
import { flag, instant, integer, oneOf, optionalInstant, optionalText, pageOf, text, textOrNull } from './answers.js';

const recipient = responseObject('NotificationRecipient', 'Whom a notification addresses.', {
  displayName: text('Label of the recipient; `-` when none is available.'),
  reasonCode: textOrNull('Why `displayName` is `-`, such as `PDM_EXPIRED`, `NOT_FOUND`, `SYSTEM_ERROR`.'),
  type: oneOf(partyTypes, 'Kind of recipient.'),
});

/** What statuses and events share; a field that does not apply to a row is absent from it, never `null`. */
const shared = {
  id: text('Id.'),
  appointmentId: text('Appointment concerned.'),
  channel: oneOf(notificationChannels, 'Channel of delivery.'),
  errorMessage: optionalText('Detail on failure.'),
  message: optionalText('Human-readable reason for the status.'),
  nextPollAt: optionalInstant('Next poll of the provider; only while one is planned.'),
  offset: optionalText(
    'Only for timed messages. ISO 8601 duration, such as `PT30M`: how far from the appointment it is due.',
  ),
  providerStatus: optionalText('Last known state in the provider’s own words.'),
  recipient,
  retryCount: integer('Delivery attempts made.'),
  scheduledFor: optionalInstant('Only for timed messages: when it is due.'),
  status: oneOf(notificationStates, 'State of the notification.'),
  type: oneOf(notificationTypes, 'Type of the notification.'),
};

/** Delivery status of one notification (notification spec: NotificationStatus). */
export const notificationStatusSchema = responseObject('NotificationStatus', 'Delivery status of one notification.', {
  ...shared,
  canRetry: flag('Whether a manual retry is allowed.'),
  createdAt: instant('When it was planned.'),
  nextRetryAt: optionalInstant('Next attempt; only while one is planned.'),
  updatedAt: instant('Time of the last attempt, or of the last change before any.'),
});
/** Delivery status of one notification. */
export type NotificationStatus = z.infer<typeof notificationStatusSchema>;

/** One delivery event (notification spec: NotificationEvent). */
export const notificationEventSchema = responseObject('NotificationEvent', 'One delivery event of a notification.', {
  ...shared,
  statusId: text('Id of the notification status.'),
  conversationId: optionalText('Conversation id of the provider.'),
  messageId: optionalText('Message id of the provider.'),
  pollAttempts: integer('Polls made.').optional(),
  timestamp: instant('When it happened.'),
});
/** One delivery event of a notification. */
export type NotificationEvent = z.infer<typeof notificationEventSchema>;

/** A page of statuses (notification spec: Other shapes). */
export const listApplicationNotificationsResponsePagedSchema = pageOf(
  'ListApplicationNotificationsResponsePaged',
  notificationStatusSchema,
  'A page of notification statuses.',
);
/** A page of notification statuses. */
export type ListApplicationNotificationsResponsePaged = z.infer<typeof listApplicationNotificationsResponsePagedSchema>;

/** A page of delivery events (notification spec: Other shapes). */
export const listApplicationNotificationEventsResponsePagedSchema = pageOf(
  'ListApplicationNotificationEventsResponsePaged',
  notificationEventSchema,
  'A page of notification events.',
);
/** A page of notification events. */
export type ListApplicationNotificationEventsResponsePaged = z.infer<
  typeof listApplicationNotificationEventsResponsePagedSchema
>;

const pollProperty = responseObject('PollProperty', 'A polling setting and its origin.', {
  source: oneOf(pollPropertySources, 'Where the value comes from.'),
  value: text('The value, as text.'),
});

/** Polling settings of an application (notification spec: Other shapes; D58). */
export const notificationPollPropertiesSchema = responseObject(
  'NotificationPollProperties',
  'Polling settings of an application.',
  { properties: response(z.record(z.string(), pollProperty), 'Settings by name, such as `email.interval`.') },
);
/** Polling settings of an application. */
export type NotificationPollProperties = z.infer<typeof notificationPollPropertiesSchema>;

/** Supported webhook notification types (notification spec: Other shapes). */
export const webhookNotificationTypesSchema = responseObject(
  'WebhookNotificationTypes',
  'Webhook notification types that are supported.',
  { types: response(z.array(z.enum(notificationTypes)), 'The supported types.') },
);
/** Webhook notification types that are supported. */
export type WebhookNotificationTypes = z.infer<typeof webhookNotificationTypesSchema>;

const endpointFields = {
  id: text('Its id in the settings of the application.'),
  label: text('Its name, as listings show it as a recipient.'),
  types: response(z.array(z.enum(notificationTypes)), 'What it is sent.'),
  enabled: flag('Whether anything is sent to it.'),
  failingSince: optionalInstant('Since when every delivery has failed; absent when the last one succeeded.'),
  disabledAt: optionalInstant('Since when nothing is sent to it; absent while it is enabled.'),
  disabledReason: optionalText('Why it is disabled, and by whom if it was done by hand.'),
};

/** A web hook endpoint (D78). */
export const webhookEndpointSchema = responseObject(
  'WebhookEndpoint',
  'A web hook endpoint; its address and secrets stay in the settings of the host.',
  endpointFields,
);
/** A web hook endpoint (D78). */
export type WebhookEndpoint = z.infer<typeof webhookEndpointSchema>;

/** All endpoints of an application (D78). */
export const webhookEndpointsSchema = responseObject('WebhookEndpoints', 'The web hook endpoints of an application.', {
  endpoints: response(z.array(webhookEndpointSchema), 'In the order of the settings.'),
});
/** All web hook endpoints of an application (D78). */
export type WebhookEndpoints = z.infer<typeof webhookEndpointsSchema>;

const endpointFailure = responseObject(
  'WebhookEndpointFailure',
  'A delivery to a web hook endpoint that came to nothing.',
  {
    statusId: text('Id of the notification status.'),
    type: oneOf(notificationTypes, 'Type of the notification.'),
    timestamp: instant('When it failed.'),
    status: oneOf(notificationStates, 'State of the notification then; `PENDING`: another attempt was planned.'),
    errorMessage: text('Why.'),
  },
);

/** An endpoint with what failed last (D78). */
export const webhookEndpointDetailsSchema = responseObject(
  'WebhookEndpointDetails',
  'A web hook endpoint with what failed last.',
  {
    ...endpointFields,
    lastFailures: response(z.array(endpointFailure), 'At most 10 of the last 30 days, latest first.'),
  },
);
/** A web hook endpoint with what failed last (D78). */
export type WebhookEndpointDetails = z.infer<typeof webhookEndpointDetailsSchema>;

/** What became of a test call (D78). */
export const webhookEndpointTestSchema = responseObject('WebhookEndpointTest', 'What became of a test call.', {
  id: text('`webhook-id` of the call.'),
  outcome: oneOf(['DELIVERED', 'FAILED', 'UNKNOWN'], 'UNKNOWN: it was sent and no answer came.'),
  providerStatus: optionalText('The HTTP status that the endpoint answered.'),
  errorMessage: optionalText('What went wrong.'),
});
/** What became of a test call (D78). */
export type WebhookEndpointTest = z.infer<typeof webhookEndpointTestSchema>;

/** What a replay did (D78). */
export const webhookEndpointReplaySchema = responseObject(
  'WebhookEndpointReplay',
  'What one request of a replay did.',
  {
    retried: integer('Messages that are being sent again.'),
    skipped: integer('Messages that may not be retried any more.'),
    next: optionalText('Where the next request goes on; absent when everything has been seen.'),
  },
);
/** What one request of a replay did (D78). */
export type WebhookEndpointReplay = z.infer<typeof webhookEndpointReplaySchema>;
