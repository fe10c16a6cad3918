import {
  type DeliveryEvent,
  type DeliveryState,
  eventOf,
  type Notification,
  type NotificationUpdate,
} from '../domain/notifications/notification.js';
import type { DeliveryOutcome, ProviderReference } from '../domain/notifications/provider-answers.js';
import { reasons } from '../domain/notifications/reasons.js';
import { days, type Instant } from '@calends/model';
import type { Appointment } from '../domain/appointments/appointment.js';
import type { CustomerProfile } from '../domain/customers/profile.js';

/** What a notification keeps for its next attempt because it stands nowhere else. */
export interface Payload {
  /** Body of a web hook, the same for every attempt after the one whose outcome kept it (D59). */
  readonly body?: string | undefined;
  /** Last state of a record that was removed (v1 DELETE). */
  readonly appointment?: Appointment | undefined;
  readonly customer?: CustomerProfile | undefined;
  /** How often the message could not be made; counted from 0 again once it was DONE. */
  readonly faults?: number | undefined;
  /** True from a retry by hand until an attempt is made (D68). */
  readonly byHand?: boolean | undefined;
  readonly asked?: AskedByHand | undefined;
  /** How far the provider said the present message is, where its word does not tell (D50). */
  readonly rank?: number | undefined;
  /** Span of the operation that it follows from. */
  readonly traceParent?: string | undefined;
  /** Until when it waits for older messages to the same recipient (D71). */
  readonly waitsUntil?: Instant | undefined;
}

/** Retries by hand of a message that its provider has: it is asked (D68). */
interface AskedByHand {
  /** When the last one came. */
  readonly at: Instant;
  /** How many there were in all. */
  readonly times: number;
  /** How many of the questions about the present message were asked for; with any of them its failure has another attempt. */
  readonly polls: number;
}

/** Reads what a notification keeps. */
export function payloadOf({ kept }: Pick<Notification, 'kept'>): Payload {
  return kept === undefined ? {} : (JSON.parse(kept) as Payload);
}

/**
 * What stays of it once the message is handed over or over: a retry by hand signs the same bytes, and questions are counted on.
 * A profile is not kept for that.
 */
export function withBodyOnly(kept: string | undefined): string | undefined {
  const { body, asked, rank, traceParent } = payloadOf({ kept });
  return textOfPayload({ body, asked: asked && { ...asked, polls: 0 }, rank, traceParent });
}

/** The same with how far its provider said that it is; `undefined` = its word tells, or nothing was said yet. */
export function withRank(kept: string | undefined, rank: number | undefined): string | undefined {
  const payload = payloadOf({ kept });
  return payload.rank === rank ? kept : textOfPayload({ ...payload, rank });
}

function textOfPayload(payload: Payload): string | undefined {
  return Object.values(payload).every((value) => value === undefined) ? undefined : JSON.stringify(payload);
}

/** What stays of it once an attempt was made. */
export function withoutHandMark(kept: string | undefined): string | undefined {
  const { byHand, ...payload } = payloadOf({ kept });
  return byHand === undefined ? kept : textOfPayload(payload);
}

/** How long what is kept of a removed record waits for its attempts: it holds personal data (ADR 0022). */
const maxAfterRemoval = { CUSTOMER: days(1), SYSTEM: days(7) } as const;

/** Tells whether a notification has kept the last state of a removed record for so long that it is not sent any more. */
export function isPayloadExpired(notification: Notification, now: Instant): boolean {
  const { addressee, createdAt } = notification;
  return now - createdAt > maxAfterRemoval[addressee.type] && payloadOf(notification).appointment !== undefined;
}

/** The next state of a notification, and what it is called. */
export interface DeliveryStep {
  readonly outcome: DeliveryOutcome;
  readonly update: NotificationUpdate;
}

/** What a step may change. */
export type DeliveryChanges = Partial<Omit<DeliveryState, 'revision' | 'eventCount'>>;

/** The provider says that it arrived, or tells nothing beyond having taken it. */
export function delivered({ cancelRequestedAt }: Notification, message: string): DeliveryChanges {
  const told = cancelRequestedAt === undefined ? message : reasons.sentBeforeCancellation;
  return { status: 'DELIVERED', message: told, errorMessage: undefined, kept: undefined, ...over };
}

/** Ends as FAILED, with what a retry by hand needs. */
export function failed(kept: string | undefined, message: string): DeliveryChanges {
  return { status: 'FAILED', message, kept: withBodyOnly(kept), ...over };
}

/** Ends as CANCELLED. */
export function cancelled(message: string): DeliveryChanges {
  return { status: 'CANCELLED', message, kept: undefined, ...over };
}

const over = {
  phase: 'DONE',
  wakeAt: null,
  nextRetryAt: undefined,
  nextPollAt: undefined,
  cancelRequestedAt: undefined,
} as const;

/** What is said of a message that the provider has, and that may have been taken too early (D70). */
export const takenMessage = ({ cancelRequestedAt }: Notification): string =>
  cancelRequestedAt === undefined ? reasons.submitted : reasons.sentBeforeCancellation;

/** When something happens to a notification. */
export interface Moment {
  readonly at: Instant;
  /** An earlier claim ended without a word: the history says so first. */
  readonly lost?: boolean;
}

export interface StepDetails {
  /** What the provider calls the message; what it does not say stays as it was. */
  readonly reference?: ProviderReference | undefined;
  /** The provider took another message, so that nothing of an earlier one's reference is true any more. */
  readonly isNewMessage?: boolean;
  /** The history also says that nobody knows how this attempt ended. */
  readonly isUnknown?: boolean;
  /** How often the provider was asked, where questions are counted from 0 again from this step on. */
  readonly asked?: number;
}

/** A step that writes one event which says what the notification says after it, and what was asked before it. */
export function step(
  outcome: DeliveryOutcome,
  notification: Notification,
  changes: DeliveryChanges,
  { at, lost = false }: Moment,
  { reference = changes, isNewMessage = false, isUnknown = false, asked }: StepDetails = {},
): DeliveryStep {
  const { eventCount, attempts, revision } = notification;
  const events: DeliveryEvent[] = [];
  const unknownEvent = (attempts: number): DeliveryEvent => ({
    ...eventOf(notification, eventCount + events.length + 1, at),
    message: reasons.unknownOutcome,
    attempts,
  });
  if (lost) events.push(unknownEvent(attempts - 1));
  if (isUnknown) events.push(unknownEvent(attempts));
  const number = eventCount + events.length + 1;
  const next = changed(notification, changes, number, reference, isNewMessage ? {} : notification);
  const event = eventOf(next, number, at);
  events.push(asked === undefined ? event : { ...event, pollAttempts: asked });
  return { outcome, update: { next, expectedRevision: revision, events } };
}

/** A step that leaves no trace in the history. */
export function stepWithoutEvent(
  outcome: DeliveryOutcome,
  notification: Notification,
  changes: DeliveryChanges,
): DeliveryStep {
  const next = changed(notification, changes, notification.eventCount, changes, notification);
  return { outcome, update: { next, expectedRevision: notification.revision, events: [] } };
}

/** Built whole: with as many fields as these, an object made by spreading costs a hundred times as much. */
function changed(
  notification: Notification,
  changes: DeliveryChanges,
  eventCount: number,
  reference: ProviderReference,
  known: ProviderReference,
): Notification {
  const field = <Name extends keyof DeliveryChanges>(name: Name): Notification[Name] =>
    name in changes ? (changes[name] as Notification[Name]) : notification[name];
  return {
    id: notification.id,
    organizationId: notification.organizationId,
    applicationId: notification.applicationId,
    appointmentId: notification.appointmentId,
    sourceEventId: notification.sourceEventId,
    scheduleVersion: notification.scheduleVersion,
    type: notification.type,
    channel: notification.channel,
    addressee: notification.addressee,
    offset: notification.offset,
    scheduledFor: notification.scheduledFor,
    dedupeKey: notification.dedupeKey,
    createdAt: notification.createdAt,
    phase: field('phase'),
    status: field('status'),
    wakeAt: field('wakeAt'),
    revision: notification.revision + 1,
    eventCount,
    updatedAt: field('updatedAt'),
    attempts: field('attempts'),
    manualRetries: field('manualRetries'),
    lostClaims: field('lostClaims'),
    unknownOutcomes: field('unknownOutcomes'),
    pollAttempts: field('pollAttempts'),
    nextRetryAt: field('nextRetryAt'),
    nextPollAt: field('nextPollAt'),
    submittedAt: field('submittedAt'),
    providerStatus: reference.providerStatus ?? known.providerStatus,
    messageId: reference.messageId ?? known.messageId,
    conversationId: reference.conversationId ?? known.conversationId,
    message: field('message'),
    errorMessage: field('errorMessage'),
    cancelRequestedAt: field('cancelRequestedAt'),
    kept: field('kept'),
  };
}
