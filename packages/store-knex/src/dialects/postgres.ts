import { concat, sql } from '../sql/sql.js';
import { integer, type Row, text } from '../sql/rows.js';
import { insertNew, run, runSingle, type Steps } from '../sql/steps.js';
import type { Dialect, DialectOptions } from './dialect.js';
import { postgresClaims, settleEventsOnPostgres } from './postgres/claims.js';
import { commitOnPostgres } from './postgres/commit.js';
import { postgresDelivery } from './postgres/notification-claims.js';
import { notificationQueue } from './postgres/notification-queue.js';
import { postgresDriver } from './postgres/driver.js';
import type { EngineWords, Topology } from '../engine/engine-words.js';
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

/** Parts the lock of the probe from those of actors and of migrations. */
const probeClass = 1_128_352_597;

/** Settings without which a connection waits for ever, and what comes of it. */
const timeOuts = {
  statement_timeout: 'a statement that waits goes on after nobody waits for its answer any more',
  idle_in_transaction_session_timeout: 'a transaction that its process has left keeps its locks',
} as const;

const lossy = 'a change that was acknowledged may be lost';

/** Of standbys everybody sees how many there are, and only some see more. */
function* topology(): Steps<Topology> {
  const row = yield* runSingle(
    `select case when pg_is_in_recovery() then 1 else 0 end as is_standby, (select count(*) from pg_stat_replication) as standbys,
       current_setting('synchronous_standby_names') as synchronous, current_setting('synchronous_commit') as commits,
       ${Object.keys(timeOuts)
         .map((name) => `current_setting('${name}') as ${name}`)
         .join(', ')}`,
    [],
  );
  if (row === undefined) return { topology: 'unknown', warnings: [] };
  const isSynchronous = text(row, 'synchronous') !== '';
  const commits = text(row, 'commits');
  const warnings = [];
  if (commits === 'off') warnings.push(`synchronous_commit is off: ${lossy} when the server fails.`);
  if (commits === 'local' && isSynchronous) {
    warnings.push(`synchronous_commit is local: ${lossy} when the standby takes over.`);
  }
  for (const [name, consequence] of Object.entries(timeOuts)) {
    if (text(row, name) === '0') warnings.push(`${name} is not set: ${consequence}.`);
  }
  if (integer(row, 'is_standby') === 1) return { topology: 'a standby', warnings };
  if (isSynchronous) return { topology: 'a primary with a synchronous standby', warnings };
  return {
    topology: integer(row, 'standbys') > 0 ? 'a primary whose standbys are not synchronous' : 'one server',
    warnings,
  };
}

const postgresEngine: EngineWords = {
  version: 'select version() as words',
  topology,
  probes: {
    begin: 'begin',
    take: `select pg_advisory_xact_lock(${probeClass}, hashtext(?))`,
    tryToTake: `select case when pg_try_advisory_xact_lock(${probeClass}, hashtext(?)) then 1 else 0 end as taken`,
  },
};

/** PostgreSQL through `pg`, or in process through PGlite. */
export const postgresDialect = ({ preparedStatements, marksCommits = false }: DialectOptions): Dialect => ({
  driver: postgresDriver(preparedStatements),
  schema: postgresSchema,
  sql: postgresSql,
  queue: notificationQueue,
  commits: { lanes: 3, limit: 64, patience: 12 },
  guardedCommits: { lanes: 6, limit: 1, patience: 0 },
  finds: { lanes: 3, limit: 64, patience: 4 },
  looks: { lanes: 2, limit: 128, patience: 16, gathersTurn: true },
  readFault: postgresFault,
  engine: postgresEngine,
  findAppointments,
  commit: commitOnPostgres(marksCommits),
  ...postgresClaims,
  settleEvents: settleEventsOnPostgres,
  ...postgresDelivery,
  repairQueue: repairQueueOnPostgres,
  insertNew,
  locking: ' for update',
  ...postgresProofs,
  purge,
});
