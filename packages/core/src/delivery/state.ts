import type { DeliveryPhase, Notification } from '../domain/notifications/notification.js';
import type { DeliveryReport, ProviderReference, SendResult } from '../domain/notifications/provider-answers.js';
import { reasons } from '../domain/notifications/reasons.js';
import type { Instant } from '@calends/model';
import {
  cancelled,
  type DeliveryChanges,
  type DeliveryStep,
  type Moment,
  payloadOf,
  step,
  stepWithoutEvent,
} from './step.js';
import { afterPoll, afterReceipt } from './report-steps.js';
import {
  afterAnswerToKey,
  afterAnswerToReference,
  afterAttempt,
  afterComposeFailure,
  afterLookupFailure,
  type AttemptContext,
  type ClaimContext,
  type End,
  endWithoutAttempt,
  type Released,
  releaseSend,
} from './send-steps.js';

/** Who retries it by hand, and when. */
export interface ByHand {
  readonly actorId: string;
  readonly at: Instant;
}

/** What may happen to a notification, with what is told of it; `undefined` = nothing changes. */
interface Happenings {
  /** The provider was called to send (D50, D54). */
  attempted: (context: AttemptContext, result: SendResult) => DeliveryStep;
  /** The provider told what became of the message that it once took (D52). */
  foundByReference: (context: AttemptContext, report: DeliveryReport) => DeliveryStep;
  /** The provider told what became of an attempt without an outcome. */
  foundByKey: (context: AttemptContext, result: SendResult) => DeliveryStep;
  /** The provider could not be asked what became of an earlier attempt. */
  lookupFailed: (context: AttemptContext) => DeliveryStep | undefined;
  /** The message could not be made. */
  composeFailed: (context: AttemptContext) => DeliveryStep;
  /** It is not sent: not wanted any more, or it never can be. */
  ended: (context: ClaimContext, end: End) => DeliveryStep;
  /** The claim is given back. */
  released: (claim: Released, wakeAt: Instant, kept?: string) => DeliveryStep;
  /** A later message to the same recipient begins (D71). */
  superseded: (moment: Moment) => DeliveryStep;
  /** The provider was asked (D50, D58). */
  polled: (context: AttemptContext, report: DeliveryReport) => DeliveryStep;
  /** The provider reported by itself. */
  reported: (report: DeliveryReport, at: Instant) => DeliveryStep | undefined;
  /** The answer of an attempt comes after a receipt that took its claim: it may know what the receipt did not say. */
  overtaken: (reference: ProviderReference) => DeliveryStep | undefined;
  /** Somebody who may do so retries it (D52, D53, D68). */
  retriedByHand: (by: ByHand) => DeliveryStep | undefined;
}

/** What may happen to a notification. */
export type Happening = keyof Happenings;

type Row<Name extends Happening> = (
  notification: Notification,
  ...told: Parameters<Happenings[Name]>
) => ReturnType<Happenings[Name]>;

/**
 * What becomes of a notification: happening × phase → next. A cell that is not here cannot be.
 *
 * The store does the rest in its own statements: a claim, and the taking back of what an appointment does not need any more.
 */
export const transitions: { readonly [Name in Happening]: Readonly<Partial<Record<DeliveryPhase, Row<Name>>>> } = {
  attempted: { SENDING: afterAttempt },
  foundByReference: { SENDING: afterAnswerToReference },
  foundByKey: { SENDING: afterAnswerToKey },
  lookupFailed: { SENDING: afterLookupFailure },
  composeFailed: { SENDING: afterComposeFailure },
  ended: { SENDING: endWithoutAttempt },
  released: { SENDING: releaseSend, POLLING: releasePoll },
  superseded: { RETRY_WAIT: supersede },
  polled: { POLLING: afterPoll },
  reported: {
    READY: () => undefined,
    SENDING: afterReceipt,
    RETRY_WAIT: afterReceipt,
    SUBMITTED: afterReceipt,
    POLLING: afterReceipt,
    DONE: afterReceipt,
  },
  overtaken: { SUBMITTED: nameMessage, DONE: nameMessage },
  retriedByHand: { RETRY_WAIT: retryByHand, SUBMITTED: askByHand, POLLING: () => undefined, DONE: retryByHand },
};

/** The next state of a notification to which something happens. */
export function next<Name extends Happening>(
  name: Name,
  notification: Notification,
  ...told: Parameters<Happenings[Name]>
): ReturnType<Happenings[Name]> {
  const row = transitions[name][notification.phase];
  if (row === undefined) throw new Error(`A notification in ${notification.phase} cannot be ${name}.`);
  return row(notification, ...told);
}

function releasePoll(notification: Notification, { updatedBefore }: Released, wakeAt: Instant): DeliveryStep {
  const pollAttempts = notification.pollAttempts - 1;
  const changes = { phase: 'SUBMITTED', wakeAt, nextPollAt: wakeAt, updatedAt: updatedBefore, pollAttempts } as const;
  return stepWithoutEvent('returned', notification, changes);
}

function supersede(notification: Notification, moment: Moment): DeliveryStep {
  return step('cancelled', notification, cancelled(reasons.supersededByLater), moment);
}

/** Without the provider's ids it could not be asked, and not be retried by hand. */
function nameMessage(notification: Notification, reference: ProviderReference): DeliveryStep | undefined {
  const messageId = notification.messageId ?? reference.messageId;
  const conversationId = notification.conversationId ?? reference.conversationId;
  const isKnown = messageId === notification.messageId && conversationId === notification.conversationId;
  if (isKnown || messageId !== (reference.messageId ?? messageId)) return undefined;
  return stepWithoutEvent('returned', notification, { messageId, conversationId });
}

/** The worker makes the attempt, at once (D52). */
function retryByHand(notification: Notification, by: ByHand): DeliveryStep {
  return step(
    'retry',
    notification,
    {
      ...told(by),
      phase: 'RETRY_WAIT',
      status: 'PENDING',
      nextRetryAt: by.at,
      manualRetries: notification.manualRetries + 1,
      // From here on they count the questions that precede the attempt.
      pollAttempts: 0,
      kept: JSON.stringify({ ...payloadOf(notification), byHand: true }),
    },
    by,
    { asked: notification.pollAttempts },
  );
}

/** The provider has the message: it is asked first, and the message is sent again only when it says that it failed (D68). */
function askByHand(notification: Notification, by: ByHand): DeliveryStep {
  const { at } = by;
  const payload = payloadOf(notification);
  const { times = 0, polls = 0 } = payload.asked ?? {};
  const kept = JSON.stringify({ ...payload, asked: { at, times: times + 1, polls: polls + 1 } });
  return step('retry', notification, { ...told(by), nextPollAt: at, kept }, by);
}

const told = ({ actorId, at }: ByHand): DeliveryChanges => ({
  wakeAt: at,
  message: `manual retry by ${actorId}`,
  errorMessage: undefined,
});
