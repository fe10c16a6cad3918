import type { ListedNotification, Notification } from '../domain/notifications/notification.js';
import { CalendsError } from '../domain/calls/errors.js';
import { type Instant, seconds } from '@calends/model';
import type { Ports } from '../ports/ports.js';
import { channelFacts, endpointChannel, isContactChannel } from '../settings/channels.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { pollPlan } from '../settings/poll-properties.js';
import { reasons } from '../domain/notifications/reasons.js';
import { endpointKeyOf } from './channels/endpoint-states.js';
import { type DeliveryStep, payloadOf } from './step.js';
import { type ByHand, next } from './state.js';
import { reasonAgainstRetrying } from './wanted.js';

/** Retries by hand that one notification may have (D53). */
export const maxManualRetries = 5;
/** How long after a retry by hand that asks the provider there is no other one (D68). */
const betweenQuestions = seconds(15);
/** Retries by hand that ask the provider, for one notification (D68). */
export const maxLookups = 50;

/** What a retry by hand depends on besides the notification (D68). */
export interface RetryMeans {
  /** The provider can be asked about messages that it has taken. */
  readonly canAsk: boolean;
  /** The web hook endpoint is disabled: a retry would make no attempt. */
  readonly isDisabled: boolean;
}

/** Tells whether somebody may retry a notification by hand now. */
export const canRetry = (...retry: Parameters<typeof obstacleToRetry>): boolean =>
  obstacleToRetry(...retry) === undefined;

/**
 * Why nobody may retry a notification by hand now, `undefined` when one may: not where it could make no attempt, nor too often
 * (D53, D68).
 */
export function obstacleToRetry(
  listed: ListedNotification,
  settings: NotificationSettings,
  { canAsk, isDisabled }: RetryMeans,
  now: Instant,
): string | undefined {
  const { notification, appointment } = listed;
  const { phase, status, nextRetryAt, messageId, manualRetries } = notification;
  const isTaken = phase === 'SUBMITTED' || phase === 'POLLING';
  const waits = status === 'PENDING' && nextRetryAt !== undefined && nextRetryAt > now;
  if (!isTaken && status !== 'FAILED' && !waits) return 'it has neither failed, nor does it wait for another attempt';
  if (manualRetries >= maxManualRetries) return `it was retried by hand ${String(maxManualRetries)} times`;
  if (isDisabled) return reasons.endpointDisabled;
  if (!hasAddress(listed)) return reasons.noAddress;
  const unwanted = reasonAgainstRetrying({ notification, appointment, settings, now });
  if (unwanted !== undefined || !isTaken) return unwanted;
  if (messageId === undefined || !canAsk || !pollPlan(settings.poll, notification.channel).enabled) {
    return 'its provider has it, and cannot be asked about it';
  }
  const { at, times } = payloadOf(notification).asked ?? { at: -Infinity, times: 0 };
  if (times >= maxLookups) return `its provider was asked ${String(maxLookups)} times`;
  return phase === 'POLLING' || now - at >= betweenQuestions ? undefined : 'its provider was asked a moment ago';
}

/** Without an address there is nothing to send. */
function hasAddress({ notification: { channel }, customer }: ListedNotification): boolean {
  return !isContactChannel(channel) || Boolean(customer?.[channelFacts[channel].address.profile]);
}

/**
 * The state after a retry by hand; `undefined` while its provider is being asked anyhow.
 *
 * @throws CalendsError `retry_not_allowed`
 */
export function retryByHand(
  listed: ListedNotification,
  settings: NotificationSettings,
  means: RetryMeans,
  by: ByHand,
): DeliveryStep | undefined {
  const obstacle = obstacleToRetry(listed, settings, means, by.at);
  if (obstacle === undefined) return next('retriedByHand', listed.notification, by);
  throw new CalendsError('retry_not_allowed', `The notification cannot be retried: ${obstacle}.`);
}

/** Finds out for notifications of one application whether a retry could make an attempt; each endpoint is looked up once. */
export async function retryMeans(
  { store, notifiers }: Pick<Ports, 'store' | 'notifiers'>,
  listed: readonly ListedNotification[],
  { webhooks }: NotificationSettings,
): Promise<(notification: Notification) => RetryMeans> {
  const disabled = new Set<string>();
  const [first] = listed;
  const asked = new Set(listed.flatMap(({ notification }) => endpointsOf(notification)));
  await Promise.all(
    webhooks
      .filter(({ id }) => asked.has(id))
      .map(async (endpoint) => {
        const state = first && (await store.notifications.findEndpoint(endpointKeyOf(first.notification, endpoint)));
        if (state !== undefined && state.disabledAt !== null) disabled.add(endpoint.id);
      }),
  );
  return ({ channel, addressee }) => ({
    canAsk: notifiers[channelFacts[channel].key]?.fetchStatus !== undefined,
    isDisabled: channel === endpointChannel && disabled.has(addressee.id),
  });
}

/** Endpoints whose state matters: of what may be retried. */
function endpointsOf({ channel, addressee, status, phase }: Notification): readonly string[] {
  const mayBe = status === 'FAILED' || phase === 'RETRY_WAIT' || phase === 'SUBMITTED' || phase === 'POLLING';
  return channel === endpointChannel && mayBe ? [addressee.id] : [];
}
