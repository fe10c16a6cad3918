import type { EmailMessage, SmsMessage, WebhookMessage } from '../notifications/messages.js';
import type { WebhookEndpoint } from '../settings/notification-settings.js';

/**
 * What a notifier can do about an attempt whose outcome nobody knows.
 *
 * `idempotent`: the same key is never delivered twice, so it may be sent again. `lookup`: the provider can be asked
 * (`lookUp`). `none`: it may have arrived and nobody can tell.
 */
export type NotifierCapability = 'idempotent' | 'lookup' | 'none';

/** One attempt. */
export interface SendAttempt {
  /** The notification's id, the same for every attempt (D56). */
  readonly idempotencyKey: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborts when the notifier's `timeout` is over; made when it is first read. */
  readonly signal: AbortSignal;
}

/** What the provider calls the message. */
export interface ProviderReference {
  readonly messageId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** The provider's own word. */
  readonly providerStatus?: string | undefined;
}

/** How an attempt ended. Texts are free of personal data: they are shown to staff and logged. */
export type SendResult =
  /** It arrived, or the channel tells nothing beyond the provider having taken it (D50). */
  | ({ readonly status: 'delivered' } & ProviderReference)
  /** The provider took it and will tell more: by `fetchStatus`, or by a receipt. */
  | ({ readonly status: 'submitted' } & ProviderReference)
  | ({
      readonly status: 'failed';
      /** True when another attempt cannot help (D54). */
      readonly permanent: boolean;
      readonly error: string;
      /** The provider's wish, milliseconds; honoured up to 24 h. */
      readonly retryAfter?: number | undefined;
      /** The recipient is gone for good: nothing more is sent to this web hook endpoint. */
      readonly endpointGone?: boolean | undefined;
    } & ProviderReference)
  /** The request left and no answer came: it may have arrived or not. */
  | ({ readonly status: 'unknown'; readonly error: string } & ProviderReference);

/** What a provider says of a message that it took (D50). */
export interface DeliveryReport extends ProviderReference {
  /** `pending`: nothing new; `sent`: handed on; the rest is final. */
  readonly state: 'pending' | 'sent' | 'delivered' | 'failed' | 'cancelled';
  readonly error?: string | undefined;
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
