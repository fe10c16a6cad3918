import { run, type Steps } from '../database/steps.js';
import { findOneByOne } from '../queries/find-one-by-one.js';
import { notificationsAsQueue } from '../queries/notifications-as-queue.js';
import type { Dialect, Purge } from './dialect.js';
import { claimAppointmentsOnSqlite, claimEventsOnSqlite, settleEventsOnSqlite } from './sqlite/claims.js';
import { commitOnSqlite } from './sqlite/commit.js';
import { sqliteDriver } from './sqlite/driver.js';
import { sqliteFault } from './sqlite/faults.js';
import { insertNew } from './sqlite/insert-rows.js';
import { claimNotificationsOnSqlite, settleNotificationsOnSqlite } from './sqlite/notifications.js';
import { countOtpTryOnSqlite, recordRefusalsOnSqlite, sealAuditOnSqlite } from './sqlite/proofs.js';
import { sqliteSchema } from './sqlite/schema.js';
import { sqliteSql } from './sqlite/sql.js';

function* purge({ table, instant, before, limit }: Purge): Steps<number> {
  const { affected } = yield* run(
    `delete from ${table} where rowid in (select rowid from ${table} where ${instant} < ? order by ${instant} limit ?)`,
    [before, limit],
  );
  return affected;
}

/** SQLite through `libsql` or `better-sqlite3`. */
export const sqliteDialect = (): Dialect => ({
  driver: sqliteDriver(),
  schema: sqliteSchema,
  sql: sqliteSql,
  queue: notificationsAsQueue,
  commits: { lanes: 1, limit: 256, patience: 0, gathersTurn: true },
  finds: { lanes: 1, limit: 256, patience: 0, gathersTurn: true },
  readFault: sqliteFault,
  engine: { version: `select 'SQLite ' || sqlite_version() as words` },
  findAppointments: findOneByOne,
  commit: commitOnSqlite,
  claimAppointments: claimAppointmentsOnSqlite,
  claimEvents: claimEventsOnSqlite,
  settleEvents: settleEventsOnSqlite,
  claimNotifications: claimNotificationsOnSqlite,
  settleNotifications: settleNotificationsOnSqlite,
  insertNew,
  countOtpTry: countOtpTryOnSqlite,
  recordRefusals: recordRefusalsOnSqlite,
  sealAudit: sealAuditOnSqlite,
  purge,
});
