import type { NotificationType } from '@calends/model';
import type { WebhookEndpoint } from '../settings/notification-settings.js';
import type {
  DeliveryReport,
  NotifierCapability,
  ProviderReference,
  SendResult,
} from '../domain/notifications/provider-answers.js';

/** What every message says of itself. */
export interface MessageContext {
  /** The notification's id: the same for every attempt (D56). Of a one-time password, that of its challenge; of a test its own. */
  readonly notificationId: string;
  readonly organizationId: string;
  readonly applicationId: string;
  /** Absent for one-time passwords and tests. */
  readonly appointmentId?: string | undefined;
  /** TEST: a call by hand to see whether a web hook endpoint takes calls (D78). */
  readonly type: NotificationType | 'ONE_TIME_PASSWORD' | 'TEST';
}

/** A calendar file for a mail (RFC 5545; decisions, Across all). */
export interface CalendarFile {
  readonly method: 'PUBLISH' | 'REQUEST' | 'CANCEL';
  /** The whole file, with the same METHOD in it. */
  readonly content: string;
}

/** A mail, rendered; nothing in it needs escaping any more. */
export interface EmailMessage extends MessageContext {
  readonly channel: 'EMAIL';
  /** An address, or a name with an address in angle brackets, as the application has it. */
  readonly from: string;
  readonly to: { readonly name?: string | undefined; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Canonical BCP 47 tag of the texts. */
  readonly locale: string;
  /** With CREATE, RESCHEDULE and CANCELLED. */
  readonly calendar?: CalendarFile | undefined;
}

/** A text message, rendered. */
export interface SmsMessage extends MessageContext {
  readonly channel: 'SMS';
  readonly from: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/**
 * A call of a web hook.
 *
 * `body` is made at the first attempt and kept with its outcome, so that each further one signs the same bytes (D59). When
 * a worker dies in the first attempt nothing was kept: the next one makes it again, from the appointment as it is then.
 */
export interface WebhookMessage extends MessageContext {
  readonly channel: 'WEBHOOKS';
  readonly endpoint: WebhookEndpoint;
  readonly body: string;
  /** Those of the appointment's `notificationHeaders` that are forwarded (D63); checked once more before they are sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** When this attempt is made, epoch seconds; goes into the signature. */
  readonly timestamp: number;
}

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
  /** Longest time that a call may take, milliseconds, at most an hour. The claim lasts 15 s longer. */
  readonly timeout: number;
  send(message: Message, attempt: SendAttempt): Promise<SendResult>;
  /** Asks for the state of a message that was taken; absent = the provider cannot be asked. */
  fetchStatus?(reference: ProviderReference, signal: AbortSignal): Promise<DeliveryReport>;
  /** With `lookup`: what became of an earlier attempt; `undefined` or `null` = the provider does not know the key. */
  lookUp?(idempotencyKey: string, signal: AbortSignal): Promise<SendResult | undefined>;
}

/** Sends web hooks; tells at start what is wrong with an endpoint. */
export interface WebhookNotifier extends Notifier<WebhookMessage> {
  /** Why nothing could ever be sent to the endpoint, or `undefined` (`null`, too); asks no name server, and waits for nothing. */
  endpointFault?(endpoint: WebhookEndpoint): string | undefined;
}

/** The notifiers of a host; a channel without one is planned but not worked off here. */
export interface Notifiers {
  readonly email?: Notifier<EmailMessage> | undefined;
  readonly sms?: Notifier<SmsMessage> | undefined;
  readonly webhooks?: WebhookNotifier | undefined;
}
