import type { Instant } from '../appointments/instant.js';
import type { ClaimedNotification } from '../ports/notification-store.js';
import type { DeliveryReport, NotifierCapability, SendResult } from '../ports/notifier.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import {
  type DeliveryChanges,
  type DeliveryStep,
  eventOf,
  noAttempt,
  noRetry,
  silentStep,
  step,
  type StepDetails,
  type UnsentContext,
} from './delivery-step.js';
import { afterAttemptMade, keptContentOf, lasting } from './kept-content.js';
import type { DeliveryEvent, Notification } from './notification.js';
import { pollPlan } from './poll-properties.js';
import { isBehind, plainError, referenceFields } from './provider-words.js';
import { reasons } from './reasons.js';
import { nextAttemptAt } from './retry-policy.js';

/** What the next state after an attempt depends on, besides the attempt. */
export interface AttemptContext extends UnsentContext {
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

/** How many claims may end without a word before a row counts as one that kills its worker. */
export const mostLostClaims = 3;

/** The state after the provider was called (D50, D54). */
export function afterAttempt(notification: Notification, result: SendResult, context: AttemptContext): DeliveryStep {
  const { at } = context;
  const before = context.lost ? [lostEvent(notification, at)] : [];
  const reference = referenceFields(result);
  const taken = { before, reference, message: 'new' } as const;
  switch (result.status) {
    case 'delivered':
      return step('delivered', notification, delivered(notification, reasons.delivered), at, taken);
    case 'submitted':
      return step('submitted', notification, submitted(notification, context), at, taken);
    case 'failed':
      return afterFailure(notification, result, context, { before, reference });
    case 'unknown':
      return afterUnknown(notification, result.error, context, { before, reference });
  }
}

function delivered({ cancelRequestedAt }: Notification, message: string): DeliveryChanges {
  return {
    phase: 'DONE',
    status: 'DELIVERED',
    wakeAt: null,
    nextRetryAt: undefined,
    nextPollAt: undefined,
    message: cancelRequestedAt === undefined ? message : reasons.sentBeforeCancellation,
    errorMessage: undefined,
    cancelRequestedAt: undefined,
    kept: undefined,
  };
}

function submitted(notification: Notification, { at, settings, canPoll }: AttemptContext): DeliveryChanges {
  const plan = pollPlan(settings.poll, notification.channel);
  const polls = canPoll && plan.enabled;
  const nextPollAt = polls ? at + plan.initialDelay : undefined;
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
    kept: lasting(notification.kept),
  };
}

function afterFailure(
  notification: Notification,
  result: Extract<SendResult, { status: 'failed' }>,
  context: AttemptContext,
  details: StepDetails,
): DeliveryStep {
  const { at } = context;
  const errorMessage = plainError(result.error);
  if (notification.cancelRequestedAt !== undefined) {
    return step('cancelled', notification, { ...cancelled(reasons.changedMeanwhile), errorMessage }, at, details);
  }
  if (result.permanent) {
    const changes = { ...failed(context.kept?.(), reasons.failed), errorMessage };
    return step('failed', notification, changes, at, details);
  }
  const nextRetryAt = nextAttemptAt({ ...context, notification, retryAfter: result.retryAfter });
  if (nextRetryAt === undefined) {
    const changes = { ...failed(context.kept?.(), reasons.attemptsUsedUp), errorMessage };
    return step('failed', notification, changes, at, details);
  }
  const changes = { ...waiting(nextRetryAt, afterAttemptMade(context.kept?.()), reasons.anotherAttempt), errorMessage };
  return step('retry', notification, changes, at, details);
}

function afterUnknown(
  notification: Notification,
  error: string,
  context: AttemptContext,
  details: StepDetails & { readonly before: readonly DeliveryEvent[] },
): DeliveryStep {
  const { at } = context;
  const counted = { ...notification, unknownOutcomes: notification.unknownOutcomes + 1 };
  const shared = { errorMessage: plainError(error), unknownOutcomes: counted.unknownOutcomes };
  if (notification.cancelRequestedAt !== undefined) {
    // It may have arrived: CANCELLED alone would say that it has not (D70).
    const before = [...details.before, unknownEvent(notification, details.before.length, at)];
    const changes = { ...shared, ...cancelled(reasons.changedMeanwhile) };
    return step('cancelled', notification, changes, at, { ...details, before });
  }
  if (!mayResend(counted, context)) {
    const changes = { ...shared, ...failed(context.kept?.(), reasons.unknownHeld) };
    return step('failed', notification, changes, at, details);
  }
  const nextRetryAt = nextAttemptAt({ ...context, notification });
  const changes =
    nextRetryAt === undefined
      ? failed(context.kept?.(), reasons.unknownOutcome)
      : waiting(nextRetryAt, afterAttemptMade(context.kept?.()), reasons.unknownOutcome);
  return step('unknown', notification, { ...shared, ...changes }, at, details);
}

/**
 * Tells whether another attempt may follow one of which nobody knows how it ended.
 *
 * Mails carry the same Message-ID, so that a second copy is recognized; a text message goes out once more at most,
 * or waits for a hand, as the application has it.
 */
export function mayResend(
  { channel, lostClaims, unknownOutcomes }: Notification,
  { capability, settings }: Pick<AttemptContext, 'capability' | 'settings'>,
): boolean {
  if (capability !== 'none' || channel !== 'SMS') return true;
  return settings.sms?.unknownOutcome !== 'hold' && lostClaims + unknownOutcomes <= 1;
}

/** Waits for another attempt. */
export function waiting(nextRetryAt: Instant, kept: string | undefined, message: string): DeliveryChanges {
  return { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: nextRetryAt, nextRetryAt, message, kept };
}

/** Ends as FAILED, with what a retry by hand needs. */
export function failed(keeps: string | undefined, message: string): DeliveryChanges {
  return {
    phase: 'DONE',
    status: 'FAILED',
    wakeAt: null,
    nextRetryAt: undefined,
    nextPollAt: undefined,
    message,
    cancelRequestedAt: undefined,
    kept: lasting(keeps),
  };
}

/** Ends as CANCELLED. */
export function cancelled(message: string): DeliveryChanges {
  return {
    phase: 'DONE',
    status: 'CANCELLED',
    wakeAt: null,
    nextRetryAt: undefined,
    nextPollAt: undefined,
    message,
    cancelRequestedAt: undefined,
    kept: undefined,
  };
}

/** The state of a claimed notification that is not sent; the claim's attempt is not counted. */
export function unsent(
  notification: Notification,
  end: { readonly as: 'CANCELLED' | 'FAILED'; readonly message: string; readonly errorMessage?: string | undefined },
  context: UnsentContext,
): DeliveryStep {
  const { at } = context;
  const before = context.lost ? [lostEvent(notification, at)] : [];
  const retries = context.lost ? {} : noRetry(notification);
  const uncounted = { ...noAttempt(notification, context), ...retries, errorMessage: end.errorMessage };
  if (end.as === 'FAILED') {
    const changes = { ...failed(notification.kept, end.message), ...uncounted };
    return step('failed', notification, changes, at, { before });
  }
  const outcome = end.message === reasons.missed ? 'missed' : 'cancelled';
  return step(outcome, notification, { ...cancelled(end.message), ...uncounted }, at, { before });
}

/** Puts a claimed notification back as it was found, to be claimed again from then on; nothing counts. */
export function givenBack(
  { notification, found, updatedBefore }: Pick<ClaimedNotification, 'notification' | 'found' | 'updatedBefore'>,
  wakeAt: Instant,
  kept = notification.kept,
): DeliveryStep {
  const { attempts, lostClaims, pollAttempts } = notification;
  return silentStep('returned', notification, { wakeAt, updatedAt: updatedBefore, kept, ...unclaimed() });

  function unclaimed(): DeliveryChanges {
    switch (found) {
      case 'READY':
        return { phase: 'READY', status: 'INITIALIZED', attempts: attempts - 1 };
      case 'RETRY_WAIT':
        return { phase: 'RETRY_WAIT', nextRetryAt: wakeAt, attempts: attempts - 1 };
      case 'SENDING':
        // Nobody knows what became of the claim before this one: whoever claims next must still find that.
        return { attempts: attempts - 1, lostClaims: lostClaims - 1 };
      case 'SUBMITTED':
      case 'POLLING':
        return { phase: 'SUBMITTED', nextPollAt: wakeAt, pollAttempts: pollAttempts - 1 };
    }
  }
}

/** The state after the provider was asked (D50, D58). */
export function afterPoll(
  notification: Notification,
  report: DeliveryReport,
  context: Pick<AttemptContext, 'at' | 'settings' | 'canPoll' | 'lost'>,
): DeliveryStep {
  const { at, settings, canPoll } = context;
  const before = context.lost ? [lostEvent(notification, at)] : [];
  const final = afterReport(notification, report, at, before);
  if (final !== undefined) return final;
  const plan = pollPlan(settings.poll, notification.channel);
  const givesUpAt = (notification.submittedAt ?? at) + plan.timeout;
  const isOlder = isBehind(report.providerStatus, notification.providerStatus);
  const reference = referenceFields(isOlder ? { ...report, providerStatus: undefined } : report);
  const changes = { errorMessage: report.error && plainError(report.error) };
  // What was asked for by hand takes nothing away from what is asked by itself (D68).
  const asked = notification.pollAttempts - (keptContentOf(notification).asked?.polls ?? 0);
  const mayAskAgain = canPoll && plan.enabled && asked < plan.maxAttempts;
  if (at >= givesUpAt || (canPoll && plan.enabled && !mayAskAgain)) {
    return step('failed', notification, { ...changes, ...failed(notification.kept, reasons.notConfirmed) }, at, {
      before,
      reference,
    });
  }
  const wait = Math.min(plan.interval * plan.backoffFactor ** Math.max(0, asked - 1), plan.maxInterval);
  const nextPollAt = mayAskAgain ? Math.round(at + wait) : undefined;
  return step(
    'polled',
    notification,
    {
      ...changes,
      phase: 'SUBMITTED',
      status: 'PENDING',
      wakeAt: nextPollAt ?? givesUpAt,
      nextPollAt,
      message: notification.message ?? takenMessage(notification),
    },
    at,
    { before, reference },
  );
}

/** The state after a final report, `undefined` when it is none. */
export function afterReport(
  notification: Notification,
  report: DeliveryReport,
  at: Instant,
  before: readonly DeliveryEvent[] = [],
): DeliveryStep | undefined {
  const reference = referenceFields(report);
  switch (report.state) {
    case 'delivered':
      return step('delivered', notification, delivered(notification, reasons.confirmed), at, { before, reference });
    case 'failed': {
      const errorMessage = report.error && plainError(report.error);
      const again = askedAgain(notification, at);
      if (again !== undefined) {
        return step('retry', notification, { ...again, errorMessage }, at, { before, reference });
      }
      const changes = { ...failed(notification.kept, reasons.rejectedByProvider), errorMessage };
      return step('failed', notification, changes, at, { before, reference });
    }
    case 'cancelled':
      return step('cancelled', notification, cancelled(reasons.cancelledByProvider), at, { before, reference });
    case 'pending':
    case 'sent':
      return undefined;
  }
}

/** A retry by hand of what the provider had: it is sent again now that the provider says that it failed (D68). */
function askedAgain(notification: Notification, at: Instant): DeliveryChanges | undefined {
  const { phase, cancelRequestedAt, manualRetries } = notification;
  if (cancelRequestedAt !== undefined || (phase !== 'SUBMITTED' && phase !== 'POLLING')) return undefined;
  const { asked, ...content } = keptContentOf(notification);
  if (asked === undefined || asked.polls === 0) return undefined;
  return {
    phase: 'RETRY_WAIT',
    status: 'PENDING',
    wakeAt: at,
    nextRetryAt: at,
    nextPollAt: undefined,
    manualRetries: manualRetries + 1,
    pollAttempts: 0,
    message: reasons.anotherAttempt,
    kept: JSON.stringify({ ...content, byHand: true, asked: { ...asked, polls: 0 } }),
  };
}

/** Says that the claim before this one ended without a word. */
export function lostEvent(notification: Notification, at: Instant): DeliveryEvent {
  return { ...unknownEvent(notification, 0, at), attempts: notification.attempts - 1 };
}

/** Says that nobody knows how the attempt ended; comes after some events of the same step. */
function unknownEvent(notification: Notification, after: number, at: Instant): DeliveryEvent {
  const event = eventOf(notification, notification.eventCount + after + 1, at);
  return { ...event, message: reasons.unknownOutcome };
}

/** What is said of a message that the provider has, and that may have been taken too early (D70). */
export const takenMessage = ({ cancelRequestedAt }: Notification): string =>
  cancelRequestedAt === undefined ? reasons.submitted : reasons.sentBeforeCancellation;
