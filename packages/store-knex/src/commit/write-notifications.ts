import type { Notification, NotificationCancellation } from '@calends/core/store';
import { concat, type SqlValue, sql } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import {
  cancellableNotifications,
  cancelAssignments,
  cancelValues,
  isReached,
} from '../queries/cancel-notifications.js';
import { deliveryEventTable } from '../tables/delivery-events.js';
import { notificationTable, readNotification } from '../tables/notifications.js';
import type { PreparedNotifications, PreparedUpdate } from './prepared-notifications.js';
import type { WriteDialect } from './write-dialect.js';

/** Tells whether the notification to be updated is as the update expects it, after the cancellations too. */
export function* allowsUpdate(
  { locking }: Pick<WriteDialect, 'locking'>,
  organizationId: string,
  { update, cancel }: PreparedNotifications,
): Steps<boolean> {
  if (update === undefined) return true;
  const row = yield* runSingle(
    `select ${notificationTable.as('n')} from calends_notifications n where n.organization_id = ? and n.id = ?${locking}`,
    [organizationId, update.id],
  );
  if (row === undefined) return false;
  const found = readNotification(row);
  return found.revision === update.expectedRevision && !cancel.some((one) => isReached(found, one));
}

/** The event of a notification that is taken back, or that a provider had taken before. */
function cancelledEvent(
  notification: Notification,
  { message, messageIfTaken, at }: NotificationCancellation,
): readonly SqlValue[] {
  const { phase, status, eventCount, attempts, pollAttempts } = notification;
  const isTaken = phase === 'SUBMITTED' || phase === 'POLLING';
  const event = {
    number: eventCount + 1,
    timestamp: at,
    status: isTaken ? status : 'CANCELLED',
    message: isTaken ? messageIfTaken : message,
    attempts,
    pollAttempts,
  };
  return deliveryEventTable.values(event, notification);
}

/**
 * Takes back what is under way for an appointment; answers the ids of those that are being sent.
 *
 * The rows stay locked from the look at them on: none moves to another phase before it is written.
 */
function* takeBack(
  dialect: WriteDialect,
  organizationId: string,
  cancellation: NotificationCancellation,
): Steps<readonly string[]> {
  const conditions = cancellableNotifications(dialect.sql, organizationId, cancellation);
  if (conditions === undefined) return [];
  const reached = concat(
    sql(`select ${notificationTable.as('n')} from calends_notifications n where `),
    conditions,
    sql(dialect.locking),
  );
  const { rows } = yield* run(reached.text, reached.values);
  const found = rows.map(readNotification);
  if (found.length === 0) return [];
  const update = concat(
    sql(`update calends_notifications set ${cancelAssignments} where organization_id = ? and `),
    dialect.sql.anyOf(
      'id',
      found.map(({ id }) => id),
    ),
  );
  yield* run(update.text, [...cancelValues(cancellation), organizationId, ...update.values]);
  const sending = found.filter(({ phase }) => phase === 'SENDING');
  const events = found
    .filter(({ phase }) => phase !== 'SENDING')
    .map((notification) => cancelledEvent(notification, cancellation));
  yield* dialect.insertRows(deliveryEventTable, events);
  return sending.map(({ id }) => id);
}

/** Cancels, adds and updates, in this order; answers the ids of what was being sent when it was taken back. */
export function* writeNotifications(
  dialect: WriteDialect,
  organizationId: string,
  { cancel, add, update }: PreparedNotifications,
): Steps<readonly string[]> {
  const sending = new Set<string>();
  for (const cancellation of cancel) {
    for (const id of yield* takeBack(dialect, organizationId, cancellation)) sending.add(id);
  }
  const written = add.length === 0 ? [] : yield* dialect.insertNotifications(add);
  const events = written.flatMap((notification) => notification.events);
  yield* dialect.insertRows(deliveryEventTable, events);
  if (update !== undefined) {
    yield* replaceNotification(organizationId, update);
    yield* dialect.insertRows(deliveryEventTable, update.events);
  }
  return [...sending];
}

const replace = `${notificationTable.replace} ${notificationTable.isKey} and revision = ?`;

/** Replaces a notification while it has the expected revision; tells whether it had. */
export function* replaceNotification(organizationId: string, update: PreparedUpdate): Steps<boolean> {
  const { values, id, expectedRevision } = update;
  const bound = [...values.slice(notificationTable.key.length), organizationId, id, expectedRevision];
  return (yield* run(replace, bound)).affected > 0;
}
