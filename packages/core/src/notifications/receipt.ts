import type { Instant } from '../appointments/instant.js';
import type { DeliveryReport } from '../ports/notifier.js';
import { afterReport, takenMessage } from './delivery-lifecycle.js';
import { type DeliveryStep, step } from './delivery-step.js';
import { lasting } from './kept-content.js';
import type { Notification } from './notification.js';
import { finalRank, rankOfWord, referenceFields } from './provider-words.js';
import { reasons } from './reasons.js';

const reportRanks: Readonly<Record<DeliveryReport['state'], number>> = {
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
  const final = afterReport(notification, report, at);
  if (final !== undefined) return final;
  if (phase === 'DONE') return undefined;
  const known = wasHandedOver
    ? {}
    : { submittedAt: at, wakeAt: at, nextPollAt: at, nextRetryAt: undefined, kept: lasting(notification.kept) };
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
    },
    at,
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
function hasEnded({ phase, providerStatus }: Notification): boolean {
  return phase !== 'DONE' && rankOfWord(providerStatus) === finalRank;
}

function rankOf(notification: Notification): number {
  const { phase, status, providerStatus, message } = notification;
  if (phase !== 'DONE') return hasEnded(notification) ? 0 : rankOfWord(providerStatus);
  // A failure that nobody reported is a guess, which a report may correct.
  const isGuess =
    status === 'FAILED' && rankOfWord(providerStatus) < finalRank && message !== reasons.rejectedByProvider;
  return isGuess ? finalRank - 1 : finalRank;
}
