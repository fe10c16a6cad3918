import { type CommitDialect, writeLive } from '../../commit/commit-queue.js';
import type { CommitResult, NotificationWrite } from '@calends/core/store';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { writeChange } from '../../commit/parts.js';
import { standsUnder, type WriteDialect } from '../../commit/part.js';
import { done, insertNew, run, runSingle, type Steps } from '../../sql/steps.js';
import { eventColumns } from '../../tables/events.js';
import { deliveryEventTable, eventRows, notificationTable } from '../../tables/notifications.js';
import type { SqlValue } from '../../sql/sql.js';
import { type Row, type TableNames, text, withColumns } from '../../sql/rows.js';
import { claimAssignments, claimValues, type DeliveryDialect, selectClaimed, timeOf } from '../../queries/delivery.js';
import { replaceNotification } from '../../commit/notifications-part.js';
import { sqliteSql } from './sql.js';
import { claimableEvents, type ClaimDialect, dueAppointments } from '../../queries/events.js';

/** Inserts rows one by one: the statement stays prepared, and nothing is waited for between them. */
function* insertRows({ insert }: TableNames, rows: readonly (readonly SqlValue[])[]): Steps<void> {
  for (const row of rows) yield* run(insert, row);
}

const insertNotification = `${notificationTable.insert}
  on conflict (organization_id, dedupe_key) do nothing`;

const sqliteWrites: WriteDialect = {
  sql: sqliteSql,
  // One writer at a time: what a transaction read stays as it is until it ends.
  locking: '',
  lockingProofs: '',
  stands: standsUnder(''),
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

/** Notifications of a channel that are due at a time, earliest first, with the state in which they are found. */
const dueNotifications = `select organization_id, id, phase as found, wake_at as due_at,
    updated_at as updated_before
  from calends_notifications where channel = ? and wake_at <= ? order by wake_at, id limit ?`;

const claimOne = `update calends_notifications set ${claimAssignments} where organization_id = ? and id = ?`;
const selectOne = `${selectClaimed} where n.organization_id = ? and n.id = ?`;

/** What is claimed and settled: the transaction is the only writer. */
export const sqliteClaims: ClaimDialect & DeliveryDialect = {
  claimNotifications: (connections, claim) =>
    connections.transact(function* () {
      const now = yield* timeOf(claim, sqliteSql);
      const due = yield* run(dueNotifications, [claim.channel, now, claim.limit]);
      const rows: Row[] = [];
      for (const before of due.rows) {
        const key = [text(before, 'organization_id'), text(before, 'id')];
        yield* run(claimOne, [...claimValues(now, claim), ...key]);
        const row = yield* runSingle(selectOne, key);
        const { found, due_at, updated_before } = before;
        if (row !== undefined) rows.push(withColumns(row, { found, due_at, updated_before }));
      }
      return { now, rows };
    }),

  settleNotifications: (connections, updates) =>
    connections.transact(function* () {
      const written: boolean[] = [];
      for (const update of updates) {
        const stands = yield* replaceNotification(update.next.organizationId, update);
        if (stands) yield* insertRows(deliveryEventTable, eventRows(update));
        written.push(stands);
      }
      return written;
    }),

  claimAppointments: (connections, claim) =>
    connections.transact(function* () {
      const { rows } = yield* run(dueAppointments, [claim.now, claim.limit]);
      for (const row of rows) {
        yield* run('update calends_appointments set wake_at = ? where organization_id = ? and id = ?', [
          claim.leaseUntil,
          String(row['organization_id']),
          String(row['id']),
        ]);
      }
      return rows;
    }),

  claimEvents: (connections, claim, token) =>
    connections.transact(function* () {
      const { rows } = yield* run(
        `select ${eventColumns} from calends_events e where ${claimableEvents} order by e.due_at, e.id limit ?`,
        [claim.now, claim.limit],
      );
      const claimed: Row[] = [];
      for (const row of rows) {
        const attempts = Number(row['attempts']) + 1;
        yield* run('update calends_events set due_at = ?, claim_token = ?, attempts = ? where id = ?', [
          claim.leaseUntil,
          token,
          attempts,
          String(row['id']),
        ]);
        claimed.push(withColumns(row, { attempts }));
      }
      return claimed;
    }),
};
