import type { Instant } from '../appointments/instant.js';
import type { NotificationUpdate } from '../ports/notification-store.js';
import type { DeliveryOutcome } from '../ports/observer.js';
import { afterAttemptMade, keptContentOf } from './kept-content.js';
import type { DeliveryEvent, Notification } from './notification.js';

/** The next state of a notification, and what it is called. */
export interface DeliveryStep {
  readonly outcome: DeliveryOutcome;
  readonly update: NotificationUpdate;
}

/** Everything that delivery changes. */
export type DeliveryChanges = Partial<
  Omit<
    Notification,
    | 'id'
    | 'organizationId'
    | 'applicationId'
    | 'appointmentId'
    | 'sourceEventId'
    | 'scheduleVersion'
    | 'type'
    | 'channel'
    | 'addressee'
    | 'offset'
    | 'scheduledFor'
    | 'dedupeKey'
    | 'createdAt'
    | 'revision'
    | 'eventCount'
  >
>;

/** What a provider calls the message; what it does not say stays as it was. */
export type Reference = Pick<DeliveryChanges, 'messageId' | 'conversationId' | 'providerStatus'>;

/** A step that writes one event which says what the notification says after it. */
export function step(
  outcome: DeliveryOutcome,
  notification: Notification,
  changes: DeliveryChanges,
  at: Instant,
  { before = nothing, reference, message = 'same' }: StepDetails = {},
): DeliveryStep {
  const number = notification.eventCount + before.length + 1;
  const known = message === 'same' ? notification : noMessage;
  const next = changed(notification, changes, number, reference, known);
  const event = eventOf(next, number, at);
  return {
    outcome,
    update: {
      next,
      expectedRevision: notification.revision,
      events: before.length === 0 ? [event] : [...before, event],
    },
  };
}

/** What a step may have besides its changes. */
export interface StepDetails {
  /** Events that come first. */
  readonly before?: readonly DeliveryEvent[] | undefined;
  readonly reference?: Reference | undefined;
  /** `new`: the provider took another message, so that nothing of an earlier one's reference is true any more. */
  readonly message?: 'same' | 'new' | undefined;
}

const noMessage: Reference = {};

const nothing: readonly never[] = [];

/** Built whole: with as many fields as these, an object made by spreading costs a hundred times as much. */
function changed(
  notification: Notification,
  changes: DeliveryChanges,
  eventCount: number,
  reference: Reference = changes,
  known: Reference = notification,
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

/** What a claim that sent nothing depends on. */
export interface UnsentContext {
  readonly at: Instant;
  /** An earlier claim ended without a word: the history says so first. */
  readonly lost: boolean;
  /** When the notification was last updated before the claim. */
  readonly updatedBefore: Instant;
}

/** What a claim that sent nothing takes back: without an attempt, `updatedAt` tells of the last change (D51). */
export function noAttempt(
  notification: Notification,
  { at, updatedBefore }: UnsentContext,
): Pick<Notification, 'attempts' | 'updatedAt'> {
  const attempts = notification.attempts - 1;
  return { attempts, updatedAt: attempts === 0 ? at : updatedBefore };
}

/** A retry by hand that came to an end without an attempt does not count (D68). */
export function noRetry(notification: Notification): Pick<Notification, 'manualRetries'> {
  const { manualRetries } = notification;
  return { manualRetries: keptContentOf(notification).byHand === true ? manualRetries - 1 : manualRetries };
}

/** The same step of a claim that sent nothing: it is no attempt, and no retry by hand. */
export function uncounted(
  notification: Notification,
  { outcome, update }: DeliveryStep,
  context: UnsentContext,
): DeliveryStep {
  const taken = {
    ...noAttempt(update.next, context),
    ...noRetry(notification),
    kept: afterAttemptMade(update.next.kept),
  };
  const { attempts } = taken;
  const last = update.events.length - 1;
  const events = update.events.map((event, index) => (index === last ? { ...event, attempts } : event));
  return { outcome, update: { ...update, next: { ...update.next, ...taken }, events } };
}

/** A step that leaves no trace in the history. */
export function silentStep(
  outcome: DeliveryOutcome,
  notification: Notification,
  changes: DeliveryChanges,
): DeliveryStep {
  const next = changed(notification, changes, notification.eventCount);
  return { outcome, update: { next, expectedRevision: notification.revision, events: [] } };
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
