import {
  type ClaimedNotification,
  type Notification,
  plainError,
  referenceFields,
} from '../domain/notifications/notification.js';
import type {
  DeliveryOutcome,
  DeliveryReport,
  NotifierCapability,
  SendResult,
} from '../domain/notifications/provider-answers.js';
import { reasons } from '../domain/notifications/reasons.js';
import type { Instant } from '@calends/model';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { pollPlan } from '../settings/poll-properties.js';
import {
  cancelled,
  delivered,
  type DeliveryChanges,
  type DeliveryStep,
  failed,
  type Moment,
  payloadOf,
  step,
  type StepDetails,
  stepWithoutEvent,
  takenMessage,
  withBodyOnly,
  withoutHandMark,
  withRank,
} from './step.js';
import { afterPoll } from './report-steps.js';
import { mayResend, nextAttemptAt } from './retry-policy.js';

/** What a claim that ends depends on. */
export interface ClaimContext extends Moment {
  readonly lost: boolean;
  /** When the notification was last updated before the claim. */
  readonly updatedBefore: Instant;
}

/** What the next state after an attempt depends on, besides the attempt. */
export interface AttemptContext extends ClaimContext {
  readonly settings: NotificationSettings;
  /** From 0 up to 1, for the jitter. */
  readonly chance: number;
  /** Start of the appointment, where it is known. */
  readonly start: Instant | undefined;
  readonly capability: NotifierCapability;
  /** True when the provider can be asked. */
  readonly canPoll: boolean;
  /** Makes what a further attempt needs. */
  readonly kept?: (() => string | undefined) | undefined;
}

/** Why a claim ends without an attempt. */
export interface End {
  readonly as: 'CANCELLED' | 'FAILED';
  readonly message: string;
  readonly errorMessage?: string | undefined;
}

/** What a claim that is given back was made of. */
export type Released = Pick<ClaimedNotification, 'found' | 'updatedBefore'>;

export function afterAttempt(notification: Notification, context: AttemptContext, result: SendResult): DeliveryStep {
  const reference = referenceFields(result);
  switch (result.status) {
    case 'delivered': {
      const changes = delivered(notification, reasons.delivered);
      return step('delivered', notification, changes, context, { reference, isNewMessage: true });
    }
    case 'submitted': {
      const changes = submitted(notification, context);
      return step('submitted', notification, changes, context, { reference, isNewMessage: true });
    }
    case 'failed':
      return afterFailure(notification, context, result);
    case 'unknown':
      return afterUnknown(notification, context, result);
  }
}

function submitted(notification: Notification, { at, settings, canPoll }: AttemptContext): DeliveryChanges {
  const plan = pollPlan(settings.poll, notification.channel);
  const nextPollAt = canPoll && plan.enabled ? at + plan.initialDelay : undefined;
  return {
    phase: 'SUBMITTED',
    status: 'PENDING',
    submittedAt: at,
    pollAttempts: 0,
    // Without polling the row only waits for a receipt, and for the time at which none is awaited any more.
    wakeAt: nextPollAt ?? at + plan.timeout,
    nextPollAt,
    nextRetryAt: undefined,
    message: takenMessage(notification),
    errorMessage: undefined,
    // Nothing is said of this message yet.
    kept: withRank(withBodyOnly(notification.kept), undefined),
  };
}

/** What follows from a claim that has told nobody: what it is called, and what it changes. */
type Following = readonly [outcome: DeliveryOutcome, changes: DeliveryChanges];

/** The step after such a claim: what was to be sent and is not wanted any more is withdrawn, whatever would follow. */
function afterFault(
  notification: Notification,
  context: ClaimContext,
  shared: DeliveryChanges,
  follows: () => Following,
  details?: StepDetails,
): DeliveryStep {
  const isWanted = notification.cancelRequestedAt === undefined;
  const [outcome, changes]: Following = isWanted ? follows() : ['cancelled', cancelled(reasons.changedMeanwhile)];
  return step(outcome, notification, { ...shared, ...changes }, context, details);
}

function afterFailure(
  notification: Notification,
  context: AttemptContext,
  result: Extract<SendResult, { status: 'failed' }>,
): DeliveryStep {
  const { permanent, retryAfter } = result;
  const follows = (): Following => {
    const kept = context.kept?.();
    const nextRetryAt = permanent ? undefined : nextAttemptAt({ ...context, notification, retryAfter });
    return nextRetryAt === undefined
      ? ['failed', failed(kept, permanent ? reasons.failed : reasons.attemptsUsedUp)]
      : ['retry', waiting(nextRetryAt, withoutHandMark(kept), reasons.anotherAttempt)];
  };
  const details = { reference: referenceFields(result) };
  return afterFault(notification, context, { errorMessage: plainError(result.error) }, follows, details);
}

function afterUnknown(
  notification: Notification,
  context: AttemptContext,
  result: Extract<SendResult, { status: 'unknown' }>,
): DeliveryStep {
  const unknownOutcomes = notification.unknownOutcomes + 1;
  const follows = (): Following => {
    const kept = context.kept?.();
    if (!mayResend({ ...notification, unknownOutcomes }, context))
      return ['unknown', failed(kept, reasons.unknownHeld)];
    const nextRetryAt = nextAttemptAt({ ...context, notification });
    return nextRetryAt === undefined
      ? ['unknown', failed(kept, reasons.unknownOutcome)]
      : ['unknown', waiting(nextRetryAt, withoutHandMark(kept), reasons.unknownOutcome)];
  };
  // It may have arrived: CANCELLED by itself would say that it has not (D70).
  const isUnknown = notification.cancelRequestedAt !== undefined;
  const shared = { errorMessage: plainError(result.error), unknownOutcomes };
  const details = { reference: referenceFields(result), isUnknown };
  return { ...afterFault(notification, context, shared, follows, details), outcome: 'unknown' };
}

function waiting(nextRetryAt: Instant, kept: string | undefined, message: string): DeliveryChanges {
  return { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: nextRetryAt, nextRetryAt, message, kept };
}

export function afterAnswerToReference(
  notification: Notification,
  context: AttemptContext,
  report: DeliveryReport,
): DeliveryStep {
  // The retry by hand has been told of; from here on it waits as any other does.
  const fresh = { ...notification, submittedAt: context.at, pollAttempts: 0, message: undefined };
  return withoutCounting(notification, afterPoll(fresh, context, report), context, notification.pollAttempts + 1);
}

export function afterAnswerToKey(
  notification: Notification,
  context: AttemptContext,
  result: SendResult,
): DeliveryStep {
  return withoutCounting(notification, afterAttempt(notification, context, result), context);
}

/** The same step of a claim that sent nothing: it is no attempt, and no retry by hand. */
function withoutCounting(
  notification: Notification,
  { outcome, update }: DeliveryStep,
  context: ClaimContext,
  asked?: number,
): DeliveryStep {
  const kept = withoutHandMark(update.next.kept);
  const next = { ...update.next, ...noAttempt(update.next, context), ...noRetry(notification), kept };
  const last = update.events.length - 1;
  const events = update.events.map((event, index) =>
    index === last ? { ...event, attempts: next.attempts, pollAttempts: asked ?? event.pollAttempts } : event,
  );
  return { outcome, update: { ...update, next, events } };
}

/** What a claim that sent nothing takes back: without an attempt, `updatedAt` tells of the last change (D51). */
function noAttempt(
  notification: Notification,
  { at, updatedBefore }: ClaimContext,
): Pick<Notification, 'attempts' | 'updatedAt'> {
  const attempts = notification.attempts - 1;
  return { attempts, updatedAt: attempts === 0 ? at : updatedBefore };
}

/** A retry by hand that came to an end without an attempt does not count (D68). */
function noRetry(notification: Notification): Pick<Notification, 'manualRetries'> {
  return { manualRetries: notification.manualRetries - Number(payloadOf(notification).byHand === true) };
}

/** How often the provider may fail to tell what became of an attempt before the next one is made without knowing. */
const maxLookups = 3;

/** `undefined` when it was asked often enough and another attempt may follow; where none may, the message is held. */
export function afterLookupFailure(notification: Notification, context: AttemptContext): DeliveryStep | undefined {
  const { at, settings } = context;
  const pollAttempts = notification.pollAttempts + 1;
  const isLast = pollAttempts >= maxLookups;
  // What the provider took and does not know any more may have arrived, and a look-up that fails is none.
  const unknownOutcomes = notification.unknownOutcomes + Number(notification.messageId !== undefined);
  const capability = context.capability === 'lookup' ? 'none' : context.capability;
  const isWanted = notification.cancelRequestedAt === undefined;
  if (isLast && isWanted && mayResend({ ...notification, unknownOutcomes }, { settings, capability })) return undefined;
  const { interval } = pollPlan(settings.poll, notification.channel);
  const shared = { errorMessage: reasons.notAsked, ...noAttempt(notification, context), pollAttempts };
  return afterFault(notification, context, shared, () =>
    isLast
      ? ['failed', { ...noRetry(notification), ...failed(notification.kept, reasons.unknownHeld) }]
      : ['retry', waiting(at + interval, notification.kept, reasons.anotherAttempt)],
  );
}

/**
 * The faults are counted by themselves and have the waits of as many attempts, so that what can never be made comes to
 * an end.
 */
export function afterComposeFailure(notification: Notification, context: AttemptContext): DeliveryStep {
  const payload = payloadOf(notification);
  const faults = (payload.faults ?? 0) + 1;
  const asAttempts = { ...notification, attempts: faults, manualRetries: 0 };
  const nextRetryAt = nextAttemptAt({ ...context, notification: asAttempts });
  const shared = { errorMessage: reasons.notComposed, ...noAttempt(notification, context) };
  return afterFault(notification, context, shared, () =>
    nextRetryAt === undefined
      ? ['failed', { ...noRetry(notification), ...failed(notification.kept, reasons.failed) }]
      : ['retry', waiting(nextRetryAt, JSON.stringify({ ...payload, faults }), reasons.anotherAttempt)],
  );
}

export function endWithoutAttempt(notification: Notification, context: ClaimContext, end: End): DeliveryStep {
  const retries = context.lost ? {} : noRetry(notification);
  const shared = { ...noAttempt(notification, context), ...retries, errorMessage: end.errorMessage };
  if (end.as === 'FAILED') {
    return step('failed', notification, { ...failed(notification.kept, end.message), ...shared }, context);
  }
  const outcome = end.message === reasons.missed ? 'missed' : 'cancelled';
  return step(outcome, notification, { ...cancelled(end.message), ...shared }, context);
}

/** As it was found, to be claimed again from then on; nothing counts. */
export function releaseSend(
  notification: Notification,
  { found, updatedBefore }: Released,
  wakeAt: Instant,
  kept = notification.kept,
): DeliveryStep {
  const shared = { wakeAt, updatedAt: updatedBefore, kept, attempts: notification.attempts - 1 };
  const asFound = (): DeliveryChanges => {
    if (found === 'READY') return { phase: 'READY', status: 'INITIALIZED' };
    if (found === 'RETRY_WAIT') return { phase: 'RETRY_WAIT', nextRetryAt: wakeAt };
    // Nobody knows what became of the claim before this one: whoever claims next must still find that.
    return { lostClaims: notification.lostClaims - 1 };
  };
  return stepWithoutEvent('returned', notification, { ...shared, ...asFound() });
}
