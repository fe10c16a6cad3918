import type { Instant, NotificationChannel, NotificationState, NotificationType } from '@calends/model';
import type { ProviderReference } from './provider-answers.js';
import type { Appointment } from '../appointments/appointment.js';
import type { CustomerProfile } from '../customers/profile.js';
import { createHash } from 'node:crypto';

/**
 * Where a notification stands in its delivery; finer than the documented state.
 *
 * READY: waits for its time. SENDING: claimed, the provider is about to be called or was. RETRY_WAIT: waits for
 * another attempt. SUBMITTED: the provider took it, its receipt is awaited. POLLING: claimed to ask the provider.
 * DONE: over, unless somebody retries it by hand.
 */
export const deliveryPhases = ['READY', 'SENDING', 'RETRY_WAIT', 'SUBMITTED', 'POLLING', 'DONE'] as const;

/** One of {@link deliveryPhases}. */
export type DeliveryPhase = (typeof deliveryPhases)[number];

/** Whom a notification goes to, by ids only: names and addresses are read when they are needed. */
export interface Addressee {
  readonly type: 'CUSTOMER' | 'SYSTEM';
  /** A customer's participant id, or the id of a web hook endpoint. */
  readonly id: string;
  /** An endpoint's label; never set for customers. */
  readonly label?: string | undefined;
}

/** How far the delivery of a notification is: everything that delivery changes. */
export interface DeliveryState {
  readonly phase: DeliveryPhase;
  readonly status: NotificationState;
  /** When the worker must look at it: due time, retry, poll, or the end of its claim; null = never. */
  readonly wakeAt: Instant | null;
  /** Raised by one with every change; the fencing token of a claim. */
  readonly revision: number;
  /** How many delivery events it has; the last one's number. */
  readonly eventCount: number;
  /** Time of the last attempt, of the last change before any (D51). */
  readonly updatedAt: Instant;
  /** Delivery attempts, automatic and manual (D51). */
  readonly attempts: number;
  /** Retries by hand (D53). */
  readonly manualRetries: number;
  /** Claims for sending that ended without a word. */
  readonly lostClaims: number;
  /** Attempts of which nobody knows how they ended: time-outs after the request had left. */
  readonly unknownOutcomes: number;
  readonly pollAttempts: number;
  readonly nextRetryAt?: Instant | undefined;
  readonly nextPollAt?: Instant | undefined;
  /** When the provider took it. */
  readonly submittedAt?: Instant | undefined;
  /** The provider's own word for its state. */
  readonly providerStatus?: string | undefined;
  /** The provider's id of the message. */
  readonly messageId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Why it is in its state, for people. */
  readonly message?: string | undefined;
  /** What went wrong; free of personal data. */
  readonly errorMessage?: string | undefined;
  /** The appointment changed while it was being sent. */
  readonly cancelRequestedAt?: Instant | undefined;
  /**
   * What the next attempt needs and stands nowhere else: the body of a web hook, the appointment and profile of a
   * record that was removed, how often the message could not be made, the span that it follows from. JSON text; gone when the notification is DONE
   * for good.
   */
  readonly kept?: string | undefined;
}

/**
 * One message to one recipient over one channel, and how far its delivery is. The row is the queue entry: there
 * is no second queue.
 */
export interface Notification extends DeliveryState {
  /** UUIDv7; the id of the documented status, and the key that providers get so that they act once (D56). */
  readonly id: string;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly appointmentId: string;
  /** Event that caused it. */
  readonly sourceEventId: string;
  readonly scheduleVersion: number;
  readonly type: NotificationType;
  readonly channel: NotificationChannel;
  readonly addressee: Addressee;
  /** Timed types only: milliseconds before the start, or after the end. */
  readonly offset?: number | undefined;
  /** Timed types only: when it is due. */
  readonly scheduledFor?: Instant | undefined;
  /** Unique in the organization (D56); made by `dedupeKeyOf`. */
  readonly dedupeKey: string;
  readonly createdAt: Instant;
}

/** One step of a notification's history. */
export interface DeliveryEvent {
  /** 1 for the first event of a notification. */
  readonly number: number;
  readonly timestamp: Instant;
  readonly status: NotificationState;
  readonly message?: string | undefined;
  readonly errorMessage?: string | undefined;
  readonly providerStatus?: string | undefined;
  readonly messageId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Attempts made until then. */
  readonly attempts: number;
  readonly pollAttempts: number;
  readonly nextPollAt?: Instant | undefined;
}

/** A notification as it is to stand, with the events that lead there. */
export interface NotificationWrite {
  readonly next: Notification;
  /** Numbered on from the events that it has. */
  readonly events: readonly DeliveryEvent[];
}

/** A change of a notification, carried out only while it has the revision that was looked at. */
export interface NotificationUpdate extends NotificationWrite {
  readonly expectedRevision: number;
}

/** A notification with what its presentation needs. */
export interface ListedNotification {
  readonly notification: Notification;
  /** Absent when the record was removed. */
  readonly appointment: Appointment | undefined;
  /** Profile of the addressed customer. */
  readonly customer: CustomerProfile | undefined;
}

/** A claimed notification and what sending it needs, read in the same step. */
export interface ClaimedNotification extends ListedNotification {
  /** As it is after the claim; its `revision` is the fencing token. */
  readonly notification: Notification;
  /** The phase in which it was found. */
  readonly found: Exclude<DeliveryPhase, 'DONE'>;
  /** When it had become due: its `wakeAt` before the claim. */
  readonly dueAt: Instant;
  /** Its `updatedAt` before the claim: what sends nothing leaves no time of an attempt behind (D51). */
  readonly updatedBefore: Instant;
}

const digits = 6;

/** The id of a delivery event: the notification's id and the event's number, so that strings order as numbers do. */
export function deliveryEventId(notificationId: string, number: number): string {
  return `${notificationId}-${String(number).padStart(digits, '0')}`;
}

/** The history's entry for a state. */
export function eventOf(next: Notification, number: number, at: Instant): DeliveryEvent {
  return {
    number,
    timestamp: at,
    status: next.status,
    message: next.message,
    errorMessage: next.errorMessage,
    providerStatus: next.providerStatus,
    messageId: next.messageId,
    conversationId: next.conversationId,
    attempts: next.attempts,
    pollAttempts: next.pollAttempts,
    nextPollAt: next.nextPollAt,
  };
}

/** What makes two notifications the same one (D56). */
export type DedupeParts = Pick<
  Notification,
  'appointmentId' | 'scheduleVersion' | 'type' | 'channel' | 'addressee' | 'offset' | 'sourceEventId'
>;

/** Unique key of a notification: two with the same one are never stored (D56). */
export function dedupeKeyOf(parts: DedupeParts): string {
  const { appointmentId, scheduleVersion, type, channel, addressee, offset, sourceEventId } = parts;
  const text = JSON.stringify([
    appointmentId,
    scheduleVersion,
    type,
    channel,
    addressee.type,
    addressee.id,
    offset ?? null,
    sourceEventId,
  ]);
  return createHash('sha256').update(text).digest('base64url');
}

const maxWordLength = 64;
const maxIdLength = 255;
const maxErrorLength = 500;

/** A text from outside in a form that every store takes: no control characters, no halves of pairs, bounded. */
export function plainText(text: string, maxLength: number): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const printable = text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ');
  return printable.slice(0, maxLength).replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** An error of a provider's adapter, for staff. */
export const plainError = (error: string): string => plainText(error, maxErrorLength);

/** What a provider calls a message, in fields of a notification. */
export function referenceFields({ messageId, conversationId, providerStatus }: ProviderReference): ProviderReference {
  return {
    messageId: messageId && plainText(messageId, maxIdLength),
    conversationId: conversationId && plainText(conversationId, maxIdLength),
    providerStatus: providerStatus && plainText(providerStatus, maxWordLength),
  };
}
