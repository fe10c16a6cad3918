import type { NotifierCapability } from '../domain/notifications/provider-answers.js';
import { endsAtStart } from '../domain/notifications/notified-events.js';
import { channels } from './channels/channels.js';
import { hours, type Instant } from '@calends/model';
import { channelFacts } from '../settings/channels.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import type { Notification } from '../domain/notifications/notification.js';

/** A provider that asks for a longer pause is not obeyed beyond this (D54). */
const maxRetryAfter = hours(24);
const jitter = 0.2;

/** What the time of the next attempt depends on. */
export interface RetryQuestion {
  /** After the attempt that failed, that attempt counted. */
  readonly notification: Notification;
  readonly settings: NotificationSettings;
  readonly at: Instant;
  /** From 0 up to 1, for the jitter. */
  readonly chance: number;
  readonly retryAfter?: number | undefined;
  /** Start of the appointment, where it is known: reminders and invitations never come after it. */
  readonly start: Instant | undefined;
}

/** When the next automatic attempt is due, `undefined` when there is none any more (D54). Retries by hand do not count. */
export function nextAttemptAt(question: RetryQuestion): Instant | undefined {
  const { notification, settings, at, chance, retryAfter, start } = question;
  const automatic = Math.max(1, notification.attempts - notification.manualRetries);
  const wait = settings.retry[channelFacts[notification.channel].key][automatic - 1];
  if (wait === undefined) return undefined;
  const jittered = Math.round(wait * (1 - jitter + 2 * jitter * chance));
  const next = at + Math.max(jittered, Math.min(retryAfter ?? 0, maxRetryAfter));
  return start !== undefined && endsAtStart(notification.type) && next >= start ? undefined : next;
}

/** Tells whether another attempt may follow one of which nobody knows how it ended. */
export function mayResend(
  { channel, lostClaims, unknownOutcomes }: Notification,
  { capability, settings }: { readonly capability: NotifierCapability; readonly settings: NotificationSettings },
): boolean {
  return capability !== 'none' || channels[channel].mayResend(settings, lostClaims + unknownOutcomes);
}
