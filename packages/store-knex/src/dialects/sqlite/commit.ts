import type { CommitResult, NotificationWrite } from '@calends/core/store';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { writeChange } from '../../commit/parts.js';
import { writeLive, type Written } from '../../commit/write-live.js';
import type { WriteDialect } from '../../commit/part.js';
import { insertNew } from '../../queries/insert-new.js';
import type { Connections } from '../../database/connections.js';
import { done, run, type Steps } from '../../sql/steps.js';
import { notificationTable } from '../../tables/notifications.js';
import { insertRows } from './insert-rows.js';
import { sqliteSql } from './sql.js';

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
export function commitOnSqlite(
  connections: Connections,
  changes: readonly PreparedChange[],
): Promise<readonly Written[]> {
  return connections.transact(() => writeLive(changes, writeEach));
}
