/**
 * What the author of a notifier needs: the port, messages and their parts.
 *
 * @packageDocumentation
 */
export {
  type HeaderFault,
  type HeaderReading,
  isMailAddress,
  isPhoneNumber,
  type Mailbox,
  notForwardedHeaders,
  parseMailbox,
  readHeaderMap,
  readNotificationHeaders,
  unknownOptions,
} from '@calends/model';
export type { EndpointAuthentication, WebhookEndpoint } from './settings/notification-settings.js';
export type {
  DeliveryOutcome,
  DeliveryReport,
  NotifierCapability,
  ProviderReference,
  SendResult,
} from './domain/notifications/provider-answers.js';
export { dedupeKeyOf, type DedupeParts } from './domain/notifications/notification.js';
export type {
  CalendarFile,
  EmailMessage,
  MessageContext,
  Notifier,
  Notifiers,
  SendAttempt,
  SmsMessage,
  WebhookMessage,
  WebhookNotifier,
} from './ports/notifier.js';
