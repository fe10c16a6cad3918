import type { ClaimedNotification, Notification } from '../domain/notifications/notification.js';
import { reasons } from '../domain/notifications/reasons.js';
import type { EventEmitter } from 'node:events';
import { type Instant, remembered } from '@calends/model';
import type { Applications } from '../ports/settings-source.js';
import type { Signal } from '../ports/observer.js';
import type { Ports } from '../ports/ports.js';
import type { Tracing } from '../ports/tracer.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { MaybePromise } from '../support/host-answers.js';
import { callProvider } from './call-provider.js';
import type { DeliveryChannel } from './channels/channel.js';
import type { ClaimContext, End } from './send-steps.js';
import { next } from './state.js';
import type { DeliveryStep } from './step.js';

/** Tells running loops that something may be due: `workers` of events, `delivery` of notifications. */
export type Wakes = EventEmitter<{ workers: []; delivery: [] }>;

/** What delivery works with. */
export interface DeliveryContext extends Pick<Ports, 'store' | 'clock' | 'random' | 'observer' | 'notifiers'> {
  readonly applications: Applications;
  readonly tracing: Tracing;
  readonly wakes: Wakes;
}

/** What working off a claim needs besides the claim. */
export interface Delivery {
  readonly context: DeliveryContext;
  readonly channel: DeliveryChannel;
  readonly claimed: ClaimedNotification;
  readonly settingsOf: SettingsOfClaim;
  /** The store's time now. */
  readonly now: () => Instant;
  /**
   * Undefined while a send may begin; from when on the claim may be taken again once the worker stops, or when so much
   * of the claim is gone that a send might outlast it.
   */
  readonly yieldUntil: () => Instant | undefined;
  /** How long a claim lasts, milliseconds. */
  readonly lease: number;
  /** Until what this worker does with a notification is written; `undefined` = it has none under way. */
  readonly endOf: (notificationId: string) => Promise<void> | undefined;
}

/** What came of a claim. */
export interface Delivered {
  readonly step: DeliveryStep;
  /** True when the provider was asked to send. */
  readonly attempt: boolean;
  /** Decides once more when the notification was marked while it was being sent. */
  readonly redecide?: Decision | undefined;
}

/** What an outcome makes of the notification as it is by now. */
export type Decision = (current: Notification) => DeliveryStep;

/** The appointment changed before anything was sent. */
export const withdrawn: End = { as: 'CANCELLED', message: reasons.changedMeanwhile };

/** What was kept of a removed record has waited for too long. */
export const missed: End = { as: 'CANCELLED', message: reasons.missed };

/** What a claim that ends at a time depends on. */
export function claimContext({ found, updatedBefore }: ClaimedNotification, at: Instant): ClaimContext {
  return { at, lost: found === 'SENDING', updatedBefore };
}

/** Gives the claim back; what was to be sent and is not wanted any more is withdrawn instead. */
export function released(claimed: ClaimedNotification, wakeAt: Instant, kept?: string): Delivered {
  const { notification } = claimed;
  const redecide: Decision = (current) => next('released', current, claimed, wakeAt, kept);
  const isPoll = notification.phase === 'POLLING';
  return { step: redecide(notification), attempt: false, redecide: isPoll ? redecide : undefined };
}

/** Answers the settings of an application. */
export type SettingsOfClaim = (applicationId: string) => MaybePromise<ApplicationSettings>;

/**
 * The settings for what was claimed together, which begins together: each application is asked for once, within the
 * channel's time-out. A fault holds for all of this claim and for nothing after it.
 */
export function settingsOfClaim(applications: Applications, timeout: number): SettingsOfClaim {
  return remembered(Infinity, (id) => callProvider(timeout, () => applications.settingsOf(id)));
}

/** What the observer is told of a step; by default of one that no attempt led to. */
export function deliverySignal(
  { outcome, update: { next } }: DeliveryStep,
  { attempt = false, lateness = 0, lost = false } = {},
): Signal {
  return {
    type: 'notificationSettled',
    notificationId: next.id,
    appointmentId: next.appointmentId,
    channel: next.channel,
    notificationType: next.type,
    status: next.status,
    phase: next.phase,
    outcome,
    attempt,
    attempts: next.attempts,
    lateness,
    lost,
  };
}
