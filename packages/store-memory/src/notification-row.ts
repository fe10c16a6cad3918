import type { DeliveryEvent, Notification } from '@calends/core/store';

/** A notification as it is kept, with its history. */
export interface NotificationRow {
  /** As it is now; each change puts another one here. */
  notification: Notification;
  /** By number. */
  readonly events: DeliveryEvent[];
}
