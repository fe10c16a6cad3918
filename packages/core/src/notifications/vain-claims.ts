import { type AttemptContext, cancelled, failed, lostEvent, mayResend, waiting } from './delivery-lifecycle.js';
import { type DeliveryStep, noAttempt, noRetry, step } from './delivery-step.js';
import { keptContentOf } from './kept-content.js';
import type { Notification } from './notification.js';
import { pollPlan } from './poll-properties.js';
import { plainError } from './provider-words.js';
import { reasons } from './reasons.js';
import { nextAttemptAt } from './retry-policy.js';

/** How often a provider is asked in vain what became of an attempt before the next one is made without knowing. */
const mostVainQuestions = 3;

/**
 * The state after the provider could not be asked what became of an earlier attempt; the claim is no attempt.
 * `undefined` when it was asked often enough and another attempt may follow; where none may, the message is held.
 */
export function afterVainQuestion(
  notification: Notification,
  context: AttemptContext & { readonly error: string },
): DeliveryStep | undefined {
  const { at } = context;
  const before = context.lost ? [lostEvent(notification, at)] : [];
  const pollAttempts = notification.pollAttempts + 1;
  const shared = { errorMessage: plainError(context.error), ...noAttempt(notification, context), pollAttempts };
  if (notification.cancelRequestedAt !== undefined) {
    return step('cancelled', notification, { ...shared, ...cancelled(reasons.changedMeanwhile) }, at, { before });
  }
  if (pollAttempts >= mostVainQuestions) {
    // What the provider took and does not know any more may have arrived.
    const unknownOutcomes = notification.unknownOutcomes + (notification.messageId === undefined ? 0 : 1);
    // A look-up that fails is none.
    const capability = context.capability === 'lookup' ? 'none' : context.capability;
    if (mayResend({ ...notification, unknownOutcomes }, { ...context, capability })) return undefined;
    const changes = { ...shared, ...noRetry(notification), ...failed(notification.kept, reasons.unknownHeld) };
    return step('failed', notification, changes, at, { before });
  }
  const { interval } = pollPlan(context.settings.poll, notification.channel);
  const changes = { ...shared, ...waiting(at + interval, notification.kept, reasons.anotherAttempt) };
  return step('retry', notification, changes, at, { before });
}

/**
 * The state after the message could not be made; the claim is no attempt. The faults are counted by themselves and
 * have the waits of as many attempts, so that what can never be made comes to an end.
 */
export function afterVainMaking(notification: Notification, context: AttemptContext): DeliveryStep {
  const { at } = context;
  const before = context.lost ? [lostEvent(notification, at)] : [];
  const shared = { errorMessage: reasons.notComposed, ...noAttempt(notification, context) };
  if (notification.cancelRequestedAt !== undefined) {
    return step('cancelled', notification, { ...shared, ...cancelled(reasons.changedMeanwhile) }, at, { before });
  }
  const content = keptContentOf(notification);
  const faults = (content.faults ?? 0) + 1;
  const asAttempts = { ...notification, attempts: faults, manualRetries: 0 };
  const nextRetryAt = nextAttemptAt({ ...context, notification: asAttempts });
  if (nextRetryAt === undefined) {
    const changes = { ...shared, ...noRetry(notification), ...failed(notification.kept, reasons.failed) };
    return step('failed', notification, changes, at, { before });
  }
  const kept = JSON.stringify({ ...content, faults });
  const changes = { ...shared, ...waiting(nextRetryAt, kept, reasons.anotherAttempt) };
  return step('retry', notification, changes, at, { before });
}
