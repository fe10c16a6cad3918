import type { Instant } from '../appointments/instant.js';

/** The 16 types of notifications (notification document, query parameter `type`). */
export const notificationTypes = [
  'CREATE',
  'UPDATE',
  'RESCHEDULE',
  'REASSIGN',
  'ROOM',
  'REMINDER',
  'CANCELLED',
  'FOLLOW_UP',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'NO_SHOW',
  'PARTICIPANT_ADDED',
  'PARTICIPANT_REMOVED',
  'PARTICIPANT_UPDATED',
  'INTERACTION_UPDATED',
] as const;

/** One of {@link notificationTypes}. */
export type NotificationType = (typeof notificationTypes)[number];

/** Channels of delivery. */
export const notificationChannels = ['EMAIL', 'SMS', 'WEBHOOKS'] as const;

/** One of {@link notificationChannels}. */
export type NotificationChannel = (typeof notificationChannels)[number];

/** The five states of a notification that the documented interface shows (D50). */
export const notificationStates = ['INITIALIZED', 'PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;

/** One of {@link notificationStates}. */
export type NotificationState = (typeof notificationStates)[number];

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

/** Whom a notification goes to, by ids alone: names and addresses are read when they are needed. */
export interface Addressee {
  readonly type: 'CUSTOMER' | 'SYSTEM';
  /** A customer's participant id, or the id of a web hook endpoint. */
  readonly id: string;
  /** An endpoint's label; never set for customers. */
  readonly label?: string | undefined;
}

/**
 * One message to one recipient over one channel, and how far its delivery is. The row is the queue entry: there
 * is no second queue.
 */
export interface Notification {
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
   * record that was removed, how often the message could not be made. JSON text; gone when the notification is DONE
   * for good.
   */
  readonly kept?: string | undefined;
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

const digits = 6;

/** The id of a delivery event: the notification's id and the event's number, so that texts order as numbers do. */
export function deliveryEventId(notificationId: string, number: number): string {
  return `${notificationId}-${String(number).padStart(digits, '0')}`;
}
