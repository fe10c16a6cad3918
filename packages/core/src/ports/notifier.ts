import type {
  DeliveryReport,
  NotifierCapability,
  ProviderReference,
  SendResult,
} from '../domain/notifications/provider-answers.js';
import type { EmailMessage, SmsMessage, WebhookMessage } from '../domain/notifications/messages.js';
import type { WebhookEndpoint } from '../settings/notification-settings.js';

/** One attempt. */
export interface SendAttempt {
  /** The notification's id, the same for every attempt (D56). */
  readonly idempotencyKey: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborts when the notifier's `timeout` is over; made when it is first read. */
  readonly signal: AbortSignal;
}

/**
 * Sends messages of one channel through one provider.
 *
 * Called outside any transaction, by several workers at once, again after a failure. What `send` throws counts as a
 * transient failure; what does not settle within `timeout` as an unknown outcome, and its slot is used for others.
 */
export interface Notifier<Message> {
  readonly capability: NotifierCapability;
  /** Longest time that a call may take, milliseconds. The claim lasts 15 s longer. */
  readonly timeout: number;
  send(message: Message, attempt: SendAttempt): Promise<SendResult>;
  /** Asks for the state of a message that was taken; absent = the provider cannot be asked. */
  fetchStatus?(reference: ProviderReference, signal: AbortSignal): Promise<DeliveryReport>;
  /** With `lookup`: what became of an earlier attempt; `undefined` = the provider does not know the key. */
  lookUp?(idempotencyKey: string, signal: AbortSignal): Promise<SendResult | undefined>;
}

/** Sends web hooks; tells at start what is wrong with an endpoint. */
export interface WebhookNotifier extends Notifier<WebhookMessage> {
  /** Why nothing could ever be sent to the endpoint, or `undefined`; asks no name server. */
  endpointFault?(endpoint: WebhookEndpoint): string | undefined;
}

/** The notifiers of a host; a channel without one is planned but not worked off here. */
export interface Notifiers {
  readonly email?: Notifier<EmailMessage> | undefined;
  readonly sms?: Notifier<SmsMessage> | undefined;
  readonly webhooks?: WebhookNotifier | undefined;
}
