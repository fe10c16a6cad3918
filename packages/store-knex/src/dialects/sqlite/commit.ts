import type { CommitDialect } from '../../commit/commit-queue.js';
import type { CommitResult, NotificationWrite } from '@calends/core/store';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { writeChange } from '../../commit/parts.js';
import { writeLive } from '../../commit/write-live.js';
import type { WriteDialect } from '../../commit/part.js';
import { insertNew } from '../../queries/insert-new.js';
import { done, run, type Steps } from '../../sql/steps.js';
import { notificationTable } from '../../tables/notifications.js';
import { sqliteSql } from './sql.js';
import type { SqlValue } from '../../sql/sql.js';
import type { TableNames } from '../../sql/rows.js';

/** Inserts rows one by one: the statement stays prepared, and nothing is waited for between them. */
export function* insertRows({ insert }: TableNames, rows: readonly (readonly SqlValue[])[]): Steps<void> {
  for (const row of rows) yield* run(insert, row);
}

const insertNotification = `${notificationTable.insert}
  on conflict (organization_id, dedupe_key) do nothing`;

const sqliteWrites: WriteDialect = {
  sql: sqliteSql,
  // One writer at a time: what a transaction read stays as it is until it ends.
  locking: '',
  lockingProofs: '',
  lockActors: () => done(undefined),
  insertNew,
  *insertNotifications(notifications) {
    const written: NotificationWrite[] = [];
    for (const notification of notifications) {
      if ((yield* run(insertNotification, notificationTable.values(notification.next))).affected > 0)
        written.push(notification);
    }
    return written;
  },
  insertRows,
};

function* writeEach(changes: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  const results: CommitResult[] = [];
  for (const change of changes) results.push(yield* writeChange(sqliteWrites, change));
  return results;
}

/** Writes changes in one transaction: the disk is waited for once. */
export const commitOnSqlite: CommitDialect['commit'] = (connections, changes) =>
  connections.transact(() => writeLive(changes, writeEach));
