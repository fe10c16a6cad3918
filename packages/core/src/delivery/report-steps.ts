import { type Notification, plainError, referenceFields } from '../domain/notifications/notification.js';
import type { DeliveryReport } from '../domain/notifications/provider-answers.js';
import { reasons } from '../domain/notifications/reasons.js';
import type { Instant } from '@calends/model';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { pollPlan } from '../settings/poll-properties.js';
import {
  cancelled,
  delivered,
  type DeliveryStep,
  failed,
  type Moment,
  payloadOf,
  step,
  takenMessage,
  withBodyOnly,
  withRank,
} from './step.js';

/** How far a provider's word lies on the way to the recipient (D50); 0 = not known. */
const words: readonly (readonly [rank: number, words: readonly string[]])[] = [
  [1, ['accepted', 'queued', 'scheduled', 'sending']],
  [2, ['sent']],
  [3, ['delivered', 'read', 'opened', 'undelivered', 'failed', 'bounced', 'rejected', 'suppressed', 'canceled']],
];
/** A map, since the words come from outside: an object would also know `constructor`. */
const ranks = new Map(words.flatMap(([rank, ofRank]) => ofRank.map((word) => [word, rank] as const)));

/** Rank of a provider's own word: reports only move up, since they come late, twice and out of order. */
export function rankOfWord(word: string | undefined): number {
  return ranks.get(word?.toLowerCase() ?? '') ?? 0;
}

/** The rank above which nothing more is to be expected. */
export const finalRank = 3;

/** How far the provider said that the message is; 0 = nothing that can be ordered. */
function knownRank(notification: Notification): number {
  return payloadOf(notification).rank ?? rankOfWord(notification.providerStatus);
}

/** How far a report says that the message is: by its word, else by its state; `undefined` = it says nothing of that. */
function rankOfReport({ state, providerStatus }: DeliveryReport): number | undefined {
  const rank = rankOfWord(providerStatus);
  if (rank > 0) return rank;
  return providerStatus === undefined && state === 'pending' ? undefined : reportRanks[state];
}

/** Tells whether a report goes back behind what is known and not final. */
function isBehind(report: DeliveryReport, notification: Notification): boolean {
  const known = knownRank(notification);
  return known < finalRank && (rankOfReport(report) ?? known) < known;
}

/** What is kept once a report is taken: words of the host's own provider have no order, and the state has (D50). */
function keptAfter(report: DeliveryReport, { kept }: Pick<Notification, 'kept'>): string | undefined {
  const rank = rankOfReport(report);
  if (rank === undefined) return kept;
  return withRank(kept, rankOfWord(report.providerStatus) === rank ? undefined : rank);
}

/** What the next state after a question depends on, besides the answer. */
interface PollContext extends Moment {
  readonly settings: NotificationSettings;
  /** True when the provider can be asked. */
  readonly canPoll: boolean;
}

/** The state after the provider was asked (D50, D58). */
export function afterPoll(notification: Notification, context: PollContext, report: DeliveryReport): DeliveryStep {
  const { at, settings, canPoll } = context;
  const final = afterFinalReport(notification, report, context);
  if (final !== undefined) return final;
  const plan = pollPlan(settings.poll, notification.channel);
  const givesUpAt = (notification.submittedAt ?? at) + plan.timeout;
  const isOlder = isBehind(report, notification);
  const reference = referenceFields(isOlder ? { ...report, providerStatus: undefined } : report);
  const kept = isOlder ? notification.kept : keptAfter(report, notification);
  const errorMessage = report.error && plainError(report.error);
  // What was asked for by hand takes nothing away from what is asked by itself (D68).
  const asked = notification.pollAttempts - (payloadOf(notification).asked?.polls ?? 0);
  const polls = canPoll && plan.enabled;
  if (at >= givesUpAt || (polls && asked >= plan.maxAttempts)) {
    const changes = { ...failed(kept, reasons.notConfirmed), errorMessage };
    return step('failed', notification, changes, context, { reference });
  }
  const wait = Math.min(plan.interval * plan.backoffFactor ** Math.max(0, asked - 1), plan.maxInterval);
  const nextPollAt = polls ? Math.round(at + wait) : undefined;
  return step(
    'polled',
    notification,
    {
      phase: 'SUBMITTED',
      status: 'PENDING',
      wakeAt: nextPollAt ?? givesUpAt,
      nextPollAt,
      message: notification.message ?? takenMessage(notification),
      errorMessage,
      kept,
    },
    context,
    { reference },
  );
}

/** The state after a final report, `undefined` when it is none. */
function afterFinalReport(
  notification: Notification,
  report: DeliveryReport,
  moment: Moment,
): DeliveryStep | undefined {
  const reference = referenceFields(report);
  const told = { ...notification, kept: keptAfter(report, notification) };
  switch (report.state) {
    case 'delivered':
      return step('delivered', notification, delivered(notification, reasons.confirmed), moment, { reference });
    case 'failed': {
      const again = attemptAskedFor(told, moment.at);
      const changes = again ?? failed(told.kept, reasons.rejectedByProvider);
      const errorMessage = report.error && plainError(report.error);
      const outcome = again === undefined ? 'failed' : 'retry';
      const asked = notification.pollAttempts;
      return step(outcome, notification, { ...changes, errorMessage }, moment, { reference, asked });
    }
    case 'cancelled':
      return step('cancelled', notification, cancelled(reasons.cancelledByProvider), moment, { reference });
    case 'pending':
    case 'sent':
      return undefined;
  }
}

/** A retry by hand of what the provider had: it is sent again now that the provider says that it failed (D68). */
function attemptAskedFor(notification: Notification, at: Instant): Partial<Notification> | undefined {
  const { phase, cancelRequestedAt, manualRetries } = notification;
  if (cancelRequestedAt !== undefined || (phase !== 'SUBMITTED' && phase !== 'POLLING')) return undefined;
  const { asked, ...payload } = payloadOf(notification);
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
    kept: JSON.stringify({ ...payload, byHand: true, asked: { ...asked, polls: 0 } }),
  };
}

/** The states of a report, by how far they lie on the way. */
export const reportRanks: Readonly<Record<DeliveryReport['state'], number>> = {
  pending: 1,
  sent: 2,
  delivered: finalRank,
  failed: finalRank,
  cancelled: finalRank,
};

/**
 * The state after a receipt, `undefined` when it tells nothing new.
 *
 * Receipts come late, twice and out of order: a state only moves up in rank. One that overtakes the answer of its own
 * attempt takes the claim away from it, so that the answer is not written over it. A receipt of another message than the
 * last one is no news. Where the word that is known is of a message before the last one, whose own answer had none, what
 * comes is of the last one.
 */
export function afterReceipt(
  notification: Notification,
  report: DeliveryReport,
  at: Instant,
): DeliveryStep | undefined {
  const { messageId, phase } = notification;
  const isKnownOne = messageId !== undefined && messageId === report.messageId;
  if (hasEnded(notification)) {
    // Once the last message is handed over, what has a known id is of that one; before, only an arrival is news.
    const isEarlier = phase === 'RETRY_WAIT' || (phase === 'SENDING' && isKnownOne);
    if (isEarlier && report.state !== 'delivered') return undefined;
  } else if (messageId !== undefined && report.messageId !== undefined && !isKnownOne) {
    // Sent once more, it has another id, which its answer tells; until then only how it ended is news.
    if (phase !== 'SENDING' || reportRanks[report.state] < finalRank) return undefined;
  }
  if (notification.attempts === 0 || reportRanks[report.state] <= rankOf(notification)) return undefined;
  const wasHandedOver = phase === 'SUBMITTED' || phase === 'POLLING' || phase === 'DONE';
  if (!wasHandedOver && report.state === 'failed' && !isOfPresentAttempt(notification, report)) return undefined;
  const final = afterFinalReport(notification, report, { at });
  if (final !== undefined) return final;
  if (phase === 'DONE') return undefined;
  // Without an id there is nothing to ask about, until the answer has had its time to tell it.
  const isNamed = (report.messageId ?? messageId) !== undefined || phase !== 'SENDING';
  const askAt = isNamed ? at : (notification.wakeAt ?? at);
  const known = wasHandedOver ? {} : { submittedAt: at, wakeAt: askAt, nextPollAt: askAt, nextRetryAt: undefined };
  const kept = keptAfter(report, notification);
  // Back from POLLING: the poll under way is overtaken, the next one comes at the end of its claim.
  return step(
    'polled',
    notification,
    {
      ...referenceFields(report),
      ...known,
      phase: 'SUBMITTED',
      status: 'PENDING',
      message: takenMessage(notification),
      errorMessage: undefined,
      kept: wasHandedOver ? kept : withBodyOnly(kept),
    },
    { at },
  );
}

/**
 * Tells whether a failure that comes before the answer of an attempt can be that attempt's alone. An earlier message
 * that failed ends nothing: what is being sent may still arrive.
 */
function isOfPresentAttempt(notification: Notification, report: DeliveryReport): boolean {
  const { phase, messageId, submittedAt, lostClaims, unknownOutcomes } = notification;
  if (phase !== 'SENDING' || lostClaims + unknownOutcomes > 0) return false;
  if (messageId !== undefined) return report.messageId !== undefined && report.messageId !== messageId;
  return submittedAt === undefined;
}

/** The message of which the known word was said has ended, and yet the notification is not done: it was sent once more. */
function hasEnded(notification: Notification): boolean {
  return notification.phase !== 'DONE' && knownRank(notification) === finalRank;
}

function rankOf(notification: Notification): number {
  const { phase, status, message } = notification;
  if (phase !== 'DONE') return hasEnded(notification) ? 0 : knownRank(notification);
  // A failure that nobody reported is a guess, which a report may correct.
  const isGuess = status === 'FAILED' && knownRank(notification) < finalRank && message !== reasons.rejectedByProvider;
  return isGuess ? finalRank - 1 : finalRank;
}
