import type { Instant } from '../../appointments/instant.js';
import { seconds } from '../../appointments/time-units.js';
import type { ClaimedNotification } from '../../ports/notification-store.js';
import type { SendResult } from '../../ports/notifier.js';
import { StoreError } from '../../ports/store-error.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import {
  afterAttempt,
  afterPoll,
  type AttemptContext,
  mayResend,
  mostLostClaims,
  unsent,
} from '../delivery-lifecycle.js';
import { uncounted, type UnsentContext } from '../delivery-step.js';
import { keepsTooLong, keptContentOf } from '../kept-content.js';
import type { Notification } from '../notification.js';
import { pollPlan } from '../poll-properties.js';
import { reasons } from '../reasons.js';
import { waitsForRoomUntil } from '../room-wait.js';
import { reasonAgainstSending } from '../still-wanted.js';
import { afterVainMaking, afterVainQuestion } from '../vain-claims.js';
import { callProvider, ProviderTimeout } from './call-provider.js';
import type { Composable, ComposedMessage, DeliveryChannel } from './delivery-channel.js';
import { type Decision, type Delivered, type Delivery, returned } from './delivery.js';
import { obstacleTo } from './obstacle.js';

/** Works off one claim up to its outcome, which is not written yet: check, compose, send; or ask the provider. */
export async function deliver(delivery: Delivery): Promise<Delivered> {
  const { claimed, now } = delivery;
  const { notification, found } = claimed;
  const settings = await settingsOf(delivery);
  if (settings === undefined) {
    const isOver = notification.phase === 'SENDING' && keepsTooLong(notification, now());
    return isOver
      ? { step: unsent(notification, missed, unsentContext(claimed, now())), attempt: false }
      : returned(claimed, now() + retryPause);
  }
  if (found === 'SUBMITTED' || found === 'POLLING') {
    const answered = await poll(delivery, settings);
    return { step: answered(notification), attempt: false, again: answered };
  }
  const kept = keptContentOf(notification);
  const appointment = claimed.appointment ?? kept.appointment;
  const customer = claimed.customer ?? kept.customer;
  const begun = now();
  const against = endBeforeSending(delivery, settings, appointment);
  if (against !== undefined) {
    return { step: unsent(notification, against, unsentContext(claimed, now())), attempt: false };
  }
  const roomUntil = waitsForRoomUntil(claimed, appointment, settings, now());
  if (roomUntil !== undefined) return returned(claimed, roomUntil);

  const known = mayBeKnown(delivery) ? await knownOutcome(delivery, settings) : undefined;
  if (known !== undefined) return { step: known(notification), attempt: false, again: known };

  const wayBefore = delivery.givesWay();
  if (appointment === undefined || wayBefore !== undefined) {
    return returned(claimed, wayBefore ?? now());
  }
  const message = await compose(delivery, { notification, appointment, customer, settings, now: begun });
  if (message !== undefined && 'against' in message) {
    const end = { as: 'FAILED', message: message.against } as const;
    return { step: unsent(notification, end, unsentContext(claimed, now())), attempt: false };
  }
  if (message !== undefined && 'step' in message) return message;
  const wayAfter = message && delivery.givesWay();
  if (wayAfter !== undefined) return returned(claimed, wayAfter);

  const result = message && (await send(delivery, message));
  const keeps = message?.kept ?? ((): string | undefined => notification.kept);
  const outcome = attemptContext(delivery, settings, appointment, keeps);
  const decide: Decision = (current) =>
    result === undefined ? afterVainMaking(current, outcome) : afterAttempt(current, result, outcome);
  return { step: decide(notification), attempt: result !== undefined, again: decide };
}

/** When the settings could not be read, how long until the next try. */
const retryPause = seconds(30);

/** Without them nothing is known of what is wanted, and nothing was sent: the claim must not count as lost. */
async function settingsOf(delivery: Delivery): Promise<ApplicationSettings | undefined> {
  try {
    const { applicationId } = delivery.claimed.notification;
    return await delivery.settingsOf(applicationId);
  } catch (error) {
    report(delivery, 'compose', error);
    return undefined;
  }
}

/** What a claim that ends at a time without sending depends on. */
export function unsentContext({ found, updatedBefore }: ClaimedNotification, at: Instant): UnsentContext {
  return { at, lost: found === 'SENDING', updatedBefore };
}

type End = Parameters<typeof unsent>[1];

/** The appointment changed before anything was sent. */
export const takenBack: End = { as: 'CANCELLED', message: reasons.changedMeanwhile };

/** What was kept of a removed record has waited for too long. */
export const missed: End = { as: 'CANCELLED', message: reasons.missed };

/** What ends a claimed notification before anything is sent. */
function endBeforeSending(
  { claimed: { notification, found }, channel, now }: Delivery,
  settings: ApplicationSettings,
  appointment: ClaimedNotification['appointment'],
): End | undefined {
  if (notification.cancelRequestedAt !== undefined) return takenBack;
  const { notifications } = settings;
  const against = reasonAgainstSending({ notification, appointment, settings: notifications, now: now() });
  if (against !== undefined) return { as: 'CANCELLED', message: against };
  if (found !== 'SENDING') return undefined;
  if (notification.lostClaims >= mostLostClaims) {
    return { as: 'FAILED', message: reasons.workerLost, errorMessage: reasons.unknownOutcome };
  }
  return mayResend(notification, { capability: channel.capability, settings: notifications })
    ? undefined
    : { as: 'FAILED', message: reasons.unknownHeld, errorMessage: reasons.unknownOutcome };
}

/** Tells whether there was an attempt that the provider can be asked about. */
function mayBeKnown({ channel, claimed: { notification } }: Delivery): boolean {
  const wasTaken = notification.messageId !== undefined && channel.fetchStatus !== undefined;
  return wasTaken || (channel.capability === 'lookup' && isUnknown(notification));
}

const isUnknown = ({ lostClaims, unknownOutcomes }: Notification): boolean => lostClaims + unknownOutcomes > 0;

/**
 * What an earlier attempt has come to, where the provider can tell: then nothing is sent again.
 *
 * Asked about a message that it once took (D52), and, where it can look up keys, about an attempt without an outcome.
 */
async function knownOutcome(delivery: Delivery, settings: ApplicationSettings): Promise<Decision | undefined> {
  const { channel, claimed, now } = delivery;
  const { notification } = claimed;
  const { fetchStatus, lookUp, timeout } = channel;
  const context = attemptContext(delivery, settings);
  try {
    if (notification.messageId !== undefined && fetchStatus !== undefined) {
      const { messageId, conversationId, providerStatus } = notification;
      const reference = { messageId, conversationId, providerStatus };
      const report = await callProvider(timeout, ({ signal }) => fetchStatus(reference, signal));
      if (report.state !== 'failed') {
        const submittedAt = now();
        // The retry by hand has been told of; from here on it waits as any other does.
        const fresh = { submittedAt, pollAttempts: 0, message: undefined };
        return (current) => uncounted(current, afterPoll({ ...current, ...fresh }, report, context), context);
      }
    }
    // A message that failed says nothing of an attempt after it.
    if (isUnknown(notification) && channel.capability === 'lookup' && lookUp !== undefined) {
      const result = await callProvider(timeout, ({ signal }) => lookUp(notification.id, signal));
      if (result === undefined || result.status === 'failed' || result.status === 'unknown') return undefined;
      return (current) => uncounted(current, afterAttempt(current, result, context), context);
    }
    return undefined;
  } catch (error) {
    report(delivery, 'poll', error);
    const vain = { ...context, error: 'the provider could not be asked' };
    const step = afterVainQuestion(notification, vain);
    return step && ((current) => afterVainQuestion(current, vain) ?? step);
  }
}

/** The message, or why there is none, or what stands in the way; `undefined` when it could not be made. */
async function compose(
  delivery: Delivery,
  subject: Composable,
): Promise<Awaited<ReturnType<DeliveryChannel['compose']>> | Delivered | undefined> {
  const { channel } = delivery;
  try {
    const message = await callProvider(channel.timeout, () => channel.compose(subject));
    const tellsCustomer = 'send' in message && subject.notification.addressee.type === 'CUSTOMER';
    return tellsCustomer ? ((await obstacleTo(delivery, subject)) ?? message) : message;
  } catch (error) {
    report(delivery, 'compose', error);
    // The appointment changed meanwhile: that is no fault of the message, and must not let later ones overtake it.
    const isContention = error instanceof StoreError && error.code === 'contention';
    return isContention ? returned(delivery.claimed, delivery.now() + contentionPause) : undefined;
  }
}

/** When the appointment changed while its message was made, how long until it is made anew. */
const contentionPause = seconds(1);

/** How long the end of an attempt may be told to its channel, so that the claim does not run out meanwhile. */
const longestEnd = seconds(2);

async function send(delivery: Delivery, message: ComposedMessage): Promise<SendResult> {
  const result = await attempted(delivery, message);
  const { ended } = message;
  try {
    if (ended !== undefined) await callProvider(longestEnd, () => ended(result));
  } catch (error) {
    report(delivery, 'endpoint', error);
  }
  return result;
}

async function attempted(delivery: Delivery, message: ComposedMessage): Promise<SendResult> {
  const { notification } = delivery.claimed;
  try {
    return await callProvider(delivery.channel.timeout, (deadline) =>
      message.send({
        idempotencyKey: notification.id,
        attempt: notification.attempts,
        // A property of its own: notifiers may copy the attempt.
        get signal() {
          return deadline.signal;
        },
      }),
    );
  } catch (error) {
    if (error instanceof ProviderTimeout) return { status: 'unknown', error: error.message };
    report(delivery, 'send', error);
    // The text of a foreign error may hold an address.
    return { status: 'failed', permanent: false, error: `the notifier failed: ${nameOf(error)}` };
  }
}

async function poll(delivery: Delivery, settings: ApplicationSettings): Promise<Decision> {
  const { channel, claimed, now } = delivery;
  const { notification } = claimed;
  const context = attemptContext(delivery, settings);
  const { fetchStatus } = channel;
  const { enabled } = pollPlan(settings.notifications.poll, notification.channel);
  if (fetchStatus === undefined || !enabled) return (current) => afterPoll(current, { state: 'pending' }, context);
  const { messageId, conversationId, providerStatus } = notification;
  try {
    const answer = await callProvider(channel.timeout, ({ signal }) =>
      fetchStatus({ messageId, conversationId, providerStatus }, signal),
    );
    const ended = { ...context, at: now() };
    return (current) => afterPoll(current, answer, ended);
  } catch (error) {
    report(delivery, 'poll', error);
    const answer = { state: 'pending', error: 'the provider could not be asked' } as const;
    const ended = { ...context, at: now() };
    return (current) => afterPoll(current, answer, ended);
  }
}

/** Built whole: an object made by spreading costs many times as much. */
function attemptContext(
  { context, channel, claimed, now }: Delivery,
  settings: ApplicationSettings,
  appointment = claimed.appointment,
  kept?: AttemptContext['kept'],
): AttemptContext {
  return {
    at: now(),
    settings: settings.notifications,
    chance: context.random.next(),
    start: appointment?.schedule.start,
    capability: channel.capability,
    canPoll: channel.fetchStatus !== undefined,
    kept,
    lost: claimed.found === 'SENDING',
    updatedBefore: claimed.updatedBefore,
  };
}

function report(
  { context, channel, claimed }: Delivery,
  step: 'compose' | 'send' | 'poll' | 'endpoint',
  error: unknown,
): void {
  const { id: notificationId } = claimed.notification;
  context.observer.observe({ type: 'deliveryFailed', notificationId, channel: channel.channel, step, error });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
