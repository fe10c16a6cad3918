import { type NotificationChanges, type NotificationWrite, StoreError } from '@calends/core/store';
import { isReached, takenBack } from './notification-steps.js';
import type { Notifications } from './notifications.js';

/** Tells whether the notification to be updated is as the update expects it, after the cancellations too. */
export function allowsUpdate(
  notifications: Notifications,
  organizationId: string,
  { update, cancel = [] }: NotificationChanges,
): boolean {
  if (update === undefined) return true;
  const row = notifications.current(update);
  if (row === undefined || row.notification.organizationId !== organizationId) return false;
  const { notification } = row;
  return !cancel.some((one) => one.appointmentId === notification.appointmentId && isReached(notification, one));
}

/** What is to be added: everything whose `dedupeKey` is free; the first of several with the same one. */
export function additions(
  notifications: Notifications,
  organizationId: string,
  { add = [] }: NotificationChanges,
): readonly NotificationWrite[] {
  const keys = new Set<string>();
  const ids = new Set<string>();
  return add.filter(({ next: { id, dedupeKey } }) => {
    if (keys.has(dedupeKey) || notifications.hasDedupeKey(organizationId, dedupeKey)) return false;
    if (ids.has(id) || notifications.find(organizationId, id) !== undefined) {
      throw new StoreError('unexpected', 'A notification with the id of one of these is stored already.');
    }
    ids.add(id);
    keys.add(dedupeKey);
    return true;
  });
}

/** Writes what was checked; answers the ids of those that were being sent when they were taken back. */
export function writeNotifications(
  notifications: Notifications,
  organizationId: string,
  { cancel = [], update }: NotificationChanges,
  added: readonly NotificationWrite[],
): readonly string[] {
  const sending = new Set<string>();
  for (const cancellation of cancel) {
    for (const row of notifications.ofAppointment(organizationId, cancellation.appointmentId)) {
      const { notification } = row;
      if (!isReached(notification, cancellation)) continue;
      notifications.change(row, takenBack(notification, cancellation));
      if (notification.phase === 'SENDING') sending.add(notification.id);
    }
  }
  for (const write of added) notifications.add(write);
  const row = update && notifications.current(update);
  if (update !== undefined && row !== undefined) notifications.change(row, update);
  return [...sending];
}
