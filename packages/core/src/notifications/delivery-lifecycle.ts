import type { Instant } from '../appointments/instant.js';
import type { ClaimedNotification } from '../ports/notification-store.js';
import type { DeliveryReport, NotifierCapability, SendResult } from '../ports/notifier.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import {
  type DeliveryChanges,
  type DeliveryStep,
  eventOf,
  noAttempt,
  silentStep,
  step,
  type StepDetails,
  type UnsentContext,
} from './delivery-step.js';
import { readKept } from './kept-content.js';
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
    message: notification.cancelRequestedAt === undefined ? reasons.submitted : reasons.sentBeforeCancellation,
    errorMessage: undefined,
    kept: bodyAlone(notification.kept),
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
  const changes = { ...waiting(nextRetryAt, context, reasons.anotherAttempt), errorMessage };
  return step('retry', notification, changes, at, details);
}

function afterUnknown(
  notification: Notification,
  error: string,
  context: AttemptContext,
  details: StepDetails,
): DeliveryStep {
  const { at } = context;
  const counted = { ...notification, unknownOutcomes: notification.unknownOutcomes + 1 };
  const shared = { errorMessage: plainError(error), unknownOutcomes: counted.unknownOutcomes };
  if (notification.cancelRequestedAt !== undefined) {
    return step('cancelled', notification, { ...shared, ...cancelled(reasons.changedMeanwhile) }, at, details);
  }
  if (!mayResend(counted, context)) {
    const changes = { ...shared, ...failed(context.kept?.(), reasons.unknownHeld) };
    return step('failed', notification, changes, at, details);
  }
  const nextRetryAt = nextAttemptAt({ ...context, notification });
  const changes =
    nextRetryAt === undefined
      ? failed(context.kept?.(), reasons.unknownOutcome)
      : waiting(nextRetryAt, context, reasons.unknownOutcome);
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
export function waiting(nextRetryAt: Instant, { kept }: AttemptContext, message: string): DeliveryChanges {
  return { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: nextRetryAt, nextRetryAt, message, kept: kept?.() };
}

/** A retry by hand signs the same bytes; a profile is not kept for it, nor for what the provider has taken. */
export function bodyAlone(keeps: string | undefined): string | undefined {
  const body = keeps === undefined ? undefined : readKept(keeps).body;
  return body === undefined ? undefined : JSON.stringify({ body });
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
    kept: bodyAlone(keeps),
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
  const uncounted = { ...noAttempt(notification, context), errorMessage: end.errorMessage };
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
): DeliveryStep {
  const { attempts, lostClaims, pollAttempts } = notification;
  return silentStep('returned', notification, { wakeAt, updatedAt: updatedBefore, ...unclaimed() });

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
  const mayAskAgain = canPoll && plan.enabled && notification.pollAttempts < plan.maxAttempts;
  if (at >= givesUpAt || (canPoll && plan.enabled && !mayAskAgain)) {
    return step('failed', notification, { ...changes, ...failed(undefined, reasons.notConfirmed) }, at, {
      before,
      reference,
    });
  }
  const wait = Math.min(
    plan.interval * plan.backoffFactor ** Math.max(0, notification.pollAttempts - 1),
    plan.maxInterval,
  );
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
      message: notification.message ?? reasons.submitted,
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

/** Says that the claim before this one ended without a word. */
export function lostEvent(notification: Notification, at: Instant): DeliveryEvent {
  const event = eventOf(notification, notification.eventCount + 1, at);
  return { ...event, message: reasons.unknownOutcome, attempts: notification.attempts - 1 };
}
