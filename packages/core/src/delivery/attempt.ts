import type { ClaimedNotification, Notification } from '../domain/notifications/notification.js';
import type { DeliveryReport, SendResult } from '../domain/notifications/provider-answers.js';
import { reasons } from '../domain/notifications/reasons.js';
import { seconds } from '@calends/model';
import { chanceOf } from '../ports/random.js';
import { StoreError } from '../ports/store/store-error.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { pollPlan } from '../settings/poll-properties.js';
import { attemptOf, callProvider, ProviderTimeout } from './call-provider.js';
import { claimContext, type Decision, type Delivered, type Delivery, missed, released, withdrawn } from './claim.js';
import type { Composable, ComposedMessage, DeliveryChannel } from './channels/channel.js';
import { isPayloadExpired, payloadOf } from './step.js';
import { readReport, readSendResult, UnreadableAnswer } from './read-answer.js';
import { mayResend } from './retry-policy.js';
import type { AttemptContext, End } from './send-steps.js';
import { next } from './state.js';
import { obstacleTo } from './turn.js';
import { reasonAgainstSending, waitsForRoomUntil, waitsForSettingsUntil } from './wanted.js';

/** How many claims may end without a word before a row counts as one that kills its worker. */
const maxLostClaims = 3;
/** When the settings could not be read, how long until the next try. */
const retryPause = seconds(30);
/** When the appointment changed while its message was made, how long until it is made again. */
const contentionPause = seconds(1);
/** How long the end of an attempt may be told to its channel, so that the claim does not run out meanwhile. */
const maxEnd = seconds(2);

/** Works off one claim up to its outcome, which is not written yet: check, compose, send; or ask the provider. */
export async function deliver(delivery: Delivery): Promise<Delivered> {
  const { claimed, now } = delivery;
  const { notification } = claimed;
  const settings = await settingsOf(delivery);
  if (settings === undefined) {
    const isOver = notification.phase === 'SENDING' && isPayloadExpired(notification, now());
    return isOver ? ended(delivery, missed) : released(claimed, now() + retryPause);
  }
  if (notification.phase === 'POLLING') return decided(delivery, await poll(delivery, settings));
  const payload = payloadOf(notification);
  const appointment = claimed.appointment ?? payload.appointment;
  const begun = now();
  const end = endBeforeSending(delivery, settings, appointment);
  const waitUntil =
    end === undefined
      ? waitsForRoomUntil(claimed, appointment, settings, now())
      : waitsForSettingsUntil(notification, end.message, now());
  if (waitUntil !== undefined) return released(claimed, waitUntil);
  if (end !== undefined) return ended(delivery, end);

  const known = mayBeKnown(delivery) ? await knownOutcome(delivery, settings) : undefined;
  if (known !== undefined) return decided(delivery, known);

  const yieldBefore = delivery.yieldUntil();
  if (appointment === undefined || yieldBefore !== undefined) return released(claimed, yieldBefore ?? now());
  const customer = claimed.customer ?? payload.customer;
  const message = await compose(delivery, {
    notification,
    appointment,
    customer,
    settings,
    body: payload.body,
    now: begun,
  });
  if (message !== undefined && 'refusal' in message) return ended(delivery, { as: 'FAILED', message: message.refusal });
  if (message !== undefined && 'step' in message) return message;
  const yieldAfter = message && delivery.yieldUntil();
  if (yieldAfter !== undefined) return released(claimed, yieldAfter);

  const result = message && (await send(delivery, message));
  const body = message?.body;
  const kept = () => (body === undefined ? notification.kept : JSON.stringify({ ...payload, body }));
  const context = attemptContext(delivery, settings, appointment, kept);
  return result === undefined
    ? decided(delivery, (current) => next('composeFailed', current, context))
    : decided(delivery, (current) => next('attempted', current, context, result), true);
}

function ended({ claimed, now }: Delivery, end: End): Delivered {
  return { step: next('ended', claimed.notification, claimContext(claimed, now()), end), attempt: false };
}

function decided({ claimed }: Delivery, decide: Decision, attempt = false): Delivered {
  return { step: decide(claimed.notification), attempt, redecide: decide };
}

/** Without them nothing is known of what is wanted, and nothing was sent: the claim must not count as lost. */
async function settingsOf(delivery: Delivery): Promise<ApplicationSettings | undefined> {
  try {
    return await delivery.settingsOf(delivery.claimed.notification.applicationId);
  } catch (error) {
    report(delivery, 'compose', error);
    return undefined;
  }
}

/** What ends a claimed notification before anything is sent. */
function endBeforeSending(
  { claimed: { notification, found }, channel, now }: Delivery,
  { notifications: settings }: ApplicationSettings,
  appointment: ClaimedNotification['appointment'],
): End | undefined {
  if (notification.cancelRequestedAt !== undefined) return withdrawn;
  const refusal = reasonAgainstSending({ notification, appointment, settings, now: now() });
  if (refusal !== undefined) return { as: 'CANCELLED', message: refusal };
  if (found !== 'SENDING') return undefined;
  const held = { as: 'FAILED', errorMessage: reasons.unknownOutcome } as const;
  if (notification.lostClaims >= maxLostClaims) return { ...held, message: reasons.workerLost };
  const { capability } = channel;
  return mayResend(notification, { capability, settings }) ? undefined : { ...held, message: reasons.unknownHeld };
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
  const { lookUp, timeout } = channel;
  const context = attemptContext(delivery, settings);
  try {
    const said = notification.messageId === undefined ? undefined : await statusOf(delivery);
    if (said !== undefined && said.state !== 'failed') {
      const answered = { ...context, at: now() };
      return (current) => next('foundByReference', current, answered, said);
    }
    // A message that failed says nothing of an attempt after it.
    if (isUnknown(notification) && channel.capability === 'lookup' && lookUp !== undefined) {
      const answer: unknown = await callProvider(timeout, ({ signal }) => lookUp(notification.id, signal));
      // Hosts that ask a database often say null for what is not there.
      const result = answer === undefined || answer === null ? undefined : readSendResult(answer);
      if (result === undefined || result.status === 'failed' || result.status === 'unknown') return undefined;
      return (current) => next('foundByKey', current, context, result);
    }
    return undefined;
  } catch (error) {
    report(delivery, 'poll', error);
    const step = next('lookupFailed', notification, context);
    return step && ((current) => next('lookupFailed', current, context) ?? step);
  }
}

/** What the provider says of the message that it took; `undefined` = it cannot be asked. */
async function statusOf({ channel, claimed }: Delivery): Promise<DeliveryReport | undefined> {
  const { fetchStatus, timeout } = channel;
  const { messageId, conversationId, providerStatus } = claimed.notification;
  const reference = { messageId, conversationId, providerStatus };
  return fetchStatus && readReport(await callProvider(timeout, ({ signal }) => fetchStatus(reference, signal)));
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
    // The appointment changed meanwhile: that is no fault of the message, and must not let later ones overtake it.
    const isContention = error instanceof StoreError && error.code === 'contention';
    if (isContention) return released(delivery.claimed, delivery.now() + contentionPause);
    report(delivery, 'compose', error);
    return undefined;
  }
}

async function send(delivery: Delivery, message: ComposedMessage): Promise<SendResult> {
  const result = await resultOf(delivery, message);
  const { ended } = message;
  try {
    if (ended !== undefined) await callProvider(maxEnd, () => ended(result));
  } catch (error) {
    report(delivery, 'endpoint', error);
  }
  return result;
}

async function resultOf(delivery: Delivery, message: ComposedMessage): Promise<SendResult> {
  const { notification } = delivery.claimed;
  try {
    const answer = await callProvider(delivery.channel.timeout, (deadline) =>
      message.send(attemptOf(notification.id, notification.attempts, deadline)),
    );
    return readSendResult(answer);
  } catch (error) {
    if (error instanceof ProviderTimeout) return { status: 'unknown', error: error.message };
    report(delivery, 'send', error);
    if (error instanceof UnreadableAnswer) return { status: 'unknown', error: error.message };
    // The text of a foreign error may hold an address.
    const name = error instanceof Error ? error.name : typeof error;
    return { status: 'failed', permanent: false, error: `the notifier failed: ${name}` };
  }
}

async function poll(delivery: Delivery, settings: ApplicationSettings): Promise<Decision> {
  const { enabled } = pollPlan(settings.notifications.poll, delivery.channel.channel);
  const answer = (enabled ? await answerOf(delivery) : undefined) ?? { state: 'pending' };
  const context = attemptContext(delivery, settings);
  return (current) => next('polled', current, context, answer);
}

async function answerOf(delivery: Delivery): Promise<DeliveryReport | undefined> {
  try {
    return await statusOf(delivery);
  } catch (error) {
    report(delivery, 'poll', error);
    return { state: 'pending', error: reasons.notAsked };
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
    chance: chanceOf(context.random),
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
