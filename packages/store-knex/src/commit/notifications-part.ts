import type { Notification, NotificationCancellation, NotificationUpdate } from '@calends/core/store';
import { concat, type SqlValue, sql } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import {
  cancellableNotifications,
  cancelAssignments,
  cancelValues,
  isReached,
} from '../queries/cancel-notifications.js';
import { deliveryEventTable, eventRows, notificationTable, readNotification } from '../tables/notifications.js';
import type { CommitPart, Writing } from './part.js';

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
 * Takes back what is under way for an appointment, and notes what is being sent.
 *
 * The rows stay locked from the look at them on: none moves to another phase before it is written.
 */
function* takeBack({ dialect, organizationId, sending }: Writing, cancellation: NotificationCancellation): Steps<void> {
  const conditions = cancellableNotifications(dialect.sql, organizationId, cancellation);
  if (conditions === undefined) return;
  const through = dialect.sql.through('calends_notifications_by_appointment');
  const reached = concat(
    sql(`select ${notificationTable.as('n')} from calends_notifications n${through} where `),
    conditions,
    sql(dialect.locking),
  );
  const { rows } = yield reached;
  const found = rows.map(readNotification);
  if (found.length === 0) return;
  const update = concat(
    sql(
      `update calends_notifications${dialect.sql.through('primary')} set ${cancelAssignments} where organization_id = ? and `,
    ),
    dialect.sql.anyOf(
      'id',
      found.map(({ id }) => id),
    ),
  );
  yield* run(update.text, [...cancelValues(cancellation), organizationId, ...update.values]);
  for (const { phase, id } of found) if (phase === 'SENDING') sending.add(id);
  const events = found
    .filter(({ phase }) => phase !== 'SENDING')
    .map((notification) => cancelledEvent(notification, cancellation));
  yield* dialect.insertRows(deliveryEventTable, events);
}

const replace = `${notificationTable.replace} ${notificationTable.isKey} and revision = ?`;

/** Replaces a notification while it has the expected revision; tells whether it had. */
export function* replaceNotification(
  organizationId: string,
  { next, expectedRevision }: NotificationUpdate,
): Steps<boolean> {
  const bound = [...notificationTable.otherValues(next), organizationId, next.id, expectedRevision];
  return (yield* run(replace, bound)).affected > 0;
}

/** Messages: cancels, adds and updates, in this order. */
export const notificationsPart: CommitPart = {
  // Whether the one to be updated is as the update expects it, after the cancellations too.
  refusal: {
    status: 'stale',
    *isRefused({ locking }, { change: { organizationId }, notifications }) {
      if (notifications?.update === undefined) return false;
      const { update, cancel = [] } = notifications;
      const row = yield* runSingle(
        `select ${notificationTable.as('n')} from calends_notifications n where n.organization_id = ? and n.id = ?${locking}`,
        [organizationId, update.next.id],
      );
      if (row === undefined) return true;
      const found = readNotification(row);
      return found.revision !== update.expectedRevision || cancel.some((one) => isReached(found, one));
    },
  },

  *write(writing) {
    const { dialect, prepared, organizationId } = writing;
    if (prepared.notifications === undefined) return;
    const { cancel = [], add = [], update } = prepared.notifications;
    for (const cancellation of cancel) yield* takeBack(writing, cancellation);
    const written = add.length === 0 ? [] : yield* dialect.insertNotifications(add);
    yield* dialect.insertRows(deliveryEventTable, written.flatMap(eventRows));
    if (update !== undefined) {
      yield* replaceNotification(organizationId, update);
      yield* dialect.insertRows(deliveryEventTable, eventRows(update));
    }
  },
};
