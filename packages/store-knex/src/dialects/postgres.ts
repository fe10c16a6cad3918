import { concat, sql } from '../sql/sql.js';
import type { Row } from '../sql/rows.js';
import { insertNew, run, type Steps } from '../sql/steps.js';
import type { Dialect, DialectOptions } from './dialect.js';
import { postgresClaims, settleEventsOnPostgres } from './postgres/claims.js';
import { commitOnPostgres } from './postgres/commit.js';
import { postgresDelivery } from './postgres/notification-claims.js';
import { notificationQueue } from './postgres/notification-queue.js';
import { postgresDriver } from './postgres/driver.js';
import { postgresEngine } from './postgres/engine.js';
import { postgresFault } from './postgres/faults.js';
import { postgresProofs } from './postgres/proofs.js';
import { repairQueueOnPostgres } from './postgres/repair-queue.js';
import { postgresSchema } from './postgres/schema.js';
import { postgresSql } from './postgres/sql.js';
import type { AppointmentKey } from '../queries/find-queue.js';
import { appointmentColumns } from '../tables/appointments.js';
import type { Purge } from '../queries/purges.js';

const findOne = `select ${appointmentColumns} from calends_appointments a where organization_id = ? and id = ?`;
const findMany = `select ${appointmentColumns} from unnest(?::text[], ?::text[]) as wanted (organization_id, id)
  join calends_appointments a on a.organization_id = wanted.organization_id and a.id = wanted.id`;

function* findAppointments(keys: readonly AppointmentKey[]): Steps<readonly Row[]> {
  const organizationIds = keys.map(({ organizationId }) => organizationId);
  const ids = keys.map(({ appointmentId }) => appointmentId);
  const { rows } =
    keys.length === 1
      ? yield* run(findOne, [...organizationIds, ...ids])
      : yield* run(findMany, [organizationIds, ids]);
  return rows;
}

function* purge({ table, key, instant, before, limit }: Purge): Steps<number> {
  const columns = key.join(', ');
  const query = concat(
    sql(`delete from ${table} where (${columns}) in (select ${columns} from ${table}`),
    sql(` where ${instant} < ? order by ${instant} limit ? for update skip locked)`, before, limit),
  );
  return (yield query).affected;
}

/** PostgreSQL through `pg`, or in process through PGlite. */
export const postgresDialect = (options: DialectOptions): Dialect => ({
  driver: postgresDriver(options),
  schema: postgresSchema,
  sql: postgresSql,
  queue: notificationQueue,
  commits: { lanes: 3, limit: 64, patience: 12 },
  guardedCommits: { lanes: 6, limit: 1, patience: 0 },
  finds: { lanes: 3, limit: 64, patience: 4 },
  looks: { lanes: 2, limit: 128, patience: 16, gathersTurn: true },
  readFault: postgresFault,
  engine: postgresEngine(options.limits !== undefined),
  findAppointments,
  commit: commitOnPostgres(options.marksCommits === true),
  ...postgresClaims,
  settleEvents: settleEventsOnPostgres,
  ...postgresDelivery,
  repairQueue: repairQueueOnPostgres,
  insertNew,
  locking: ' for update',
  ...postgresProofs,
  purge,
});
