import { run, type Steps } from '../database/steps.js';
import { findOneByOne } from '../queries/find-one-by-one.js';
import { notificationsAsQueue } from '../queries/notifications-as-queue.js';
import type { Dialect, Purge } from './dialect.js';
import { claimAppointmentsOnMysql, claimEventsOnMysql, settleEventsOnMysql } from './mysql/claims.js';
import { commitOnMysql } from './mysql/commit.js';
import { mysqlDriver } from './mysql/driver.js';
import { mysqlEngine } from './mysql/engine.js';
import { mysqlFault } from './mysql/faults.js';
import { insertNew } from './mysql/insert-rows.js';
import { claimNotificationsOnMysql, settleNotificationsOnMysql } from './mysql/notifications.js';
import { countOtpTryOnMysql, recordRefusalsOnMysql, sealAuditOnMysql } from './mysql/proofs.js';
import { mysqlSchema } from './mysql/schema.js';
import { mysqlSql } from './mysql/sql.js';

function* purge({ table, instant, before, limit }: Purge): Steps<number> {
  const { affected } = yield* run(`delete from ${table} where ${instant} < ? order by ${instant} limit ?`, [
    before,
    limit,
  ]);
  return affected;
}

/** MariaDB and MySQL 8 through `mysql2`. */
export const mysqlDialect = (): Dialect => ({
  driver: mysqlDriver,
  schema: mysqlSchema,
  sql: mysqlSql,
  queue: notificationsAsQueue,
  // Transactions of their own: the server joins their waits for the disk by itself.
  commits: { lanes: 8, limit: 1, patience: 0 },
  finds: { lanes: 8, limit: 1, patience: 0 },
  readFault: mysqlFault,
  engine: mysqlEngine,
  findAppointments: findOneByOne,
  commit: commitOnMysql,
  claimAppointments: claimAppointmentsOnMysql,
  claimEvents: claimEventsOnMysql,
  settleEvents: settleEventsOnMysql,
  claimNotifications: claimNotificationsOnMysql,
  settleNotifications: settleNotificationsOnMysql,
  insertNew,
  countOtpTry: countOtpTryOnMysql,
  recordRefusals: recordRefusalsOnMysql,
  sealAudit: sealAuditOnMysql,
  purge,
});
