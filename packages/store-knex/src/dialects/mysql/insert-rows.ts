import type { NotificationWrite } from '@calends/core/store';
import { places, type SqlValue } from '../../sql/sql.js';
import { run, runSingle, type Steps } from '../../sql/steps.js';
import { notificationTable } from '../../tables/notifications.js';
import { isDuplicateKey } from './faults.js';
import type { TableNames } from '../../sql/rows.js';

/** Rows of one statement, at most; the server takes 65,535 values in one. */
const rowLimit = 500;

type Rows = readonly (readonly SqlValue[])[];

/** Inserts rows, many with one statement; `suffix` follows it. */
export function* insertRows({ name, names, list }: TableNames, rows: Rows, suffix = ''): Steps<void> {
  const row = `(${places(names.length)})`;
  for (let first = 0; first < rows.length; first += rowLimit) {
    const part = rows.slice(first, first + rowLimit);
    const values = part.map(() => row).join(', ');
    yield* run(`insert into ${name} (${list}) values ${values}${suffix}`, part.flat());
  }
}

/** Inserts a row; false when its key is taken: the server has undone the statement then, and no more than that. */
export function* insertNew({ insert }: TableNames, values: readonly SqlValue[]): Steps<boolean> {
  try {
    yield* run(insert, values);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

const holder = 'select 1 as held from calends_notifications where organization_id = ? and dedupe_key = ?';

/** Inserts a notification unless its `dedupeKey` is taken; any other duplicate is a fault. */
function* insertUnlessTaken({ next }: NotificationWrite): Steps<boolean> {
  try {
    yield* insertRows(notificationTable, [notificationTable.values(next)]);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // The error names the index only in its text, which also holds values and may be in any language.
    if ((yield* runSingle(holder, [next.organizationId, next.dedupeKey])) === undefined) throw error;
    return false;
  }
}

/** Inserts notifications: all at once, and one by one when a key among them is taken, which is rare. */
export function* insertNotifications(notifications: readonly NotificationWrite[]): Steps<readonly NotificationWrite[]> {
  if (notifications.length <= rowLimit) {
    try {
      yield* insertRows(
        notificationTable,
        notifications.map(({ next }) => notificationTable.values(next)),
      );
      return notifications;
    } catch (error) {
      // The server has undone the statement, and no more than that.
      if (!isDuplicateKey(error)) throw error;
    }
  }
  const written: NotificationWrite[] = [];
  for (const notification of notifications) {
    if (yield* insertUnlessTaken(notification)) written.push(notification);
  }
  return written;
}
