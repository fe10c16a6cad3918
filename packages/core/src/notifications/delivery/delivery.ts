import type { Instant } from '../../appointments/instant.js';
import type { ClaimedNotification } from '../../ports/notification-store.js';
import type { UseCaseContext } from '../../use-case/context.js';
import { givenBack } from '../delivery-lifecycle.js';
import type { DeliveryStep } from '../delivery-step.js';
import type { Notification } from '../notification.js';
import type { DeliveryChannel } from './delivery-channel.js';
import type { SettingsOfClaim } from './settings-of-claim.js';

/** What working off a claim needs besides the claim. */
export interface Delivery {
  readonly context: UseCaseContext;
  readonly channel: DeliveryChannel;
  readonly claimed: ClaimedNotification;
  readonly settingsOf: SettingsOfClaim;
  /** The store's time now. */
  readonly now: () => Instant;
  /**
   * Undefined while a send may begin; from when on the claim may be taken anew once the worker stops, or when so much
   * of the claim is gone that a send might outlast it.
   */
  readonly givesWay: () => Instant | undefined;
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
  readonly again?: Decision | undefined;
}

/** What an outcome makes of the notification as it is by now. */
export type Decision = (current: Notification) => DeliveryStep;

/** Gives the claim back; what was to be sent and is not wanted any more is taken back instead. */
export function returned(claimed: ClaimedNotification, wakeAt: Instant): Delivered {
  const { phase } = claimed.notification;
  const again: Decision = (current) => givenBack({ ...claimed, notification: current }, wakeAt);
  return { step: again(claimed.notification), attempt: false, again: phase === 'POLLING' ? again : undefined };
}
