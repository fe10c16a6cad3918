import { run, type Steps } from '../sql/steps.js';
import { stepwise } from './stepwise.js';
import type { Dialect } from './dialect.js';
import { mysqlClaims } from './mysql/claims.js';
import { commitOnMysql } from './mysql/commit.js';
import { mysqlDriver } from './mysql/driver.js';
import type { EngineWords, Topology } from '../engine/engine-words.js';
import { mysqlFault } from './mysql/faults.js';
import { insertNew } from './mysql/insert-rows.js';
import { mysqlDelivery } from './mysql/notifications.js';
import { mysqlSchema } from './mysql/schema.js';
import { mysqlSql } from './mysql/sql.js';
import type { Purge } from '../queries/purges.js';

function* purge({ table, instant, before, limit }: Purge): Steps<number> {
  const { affected } = yield* run(`delete from ${table} where ${instant} < ? order by ${instant} limit ?`, [
    before,
    limit,
  ]);
  return affected;
}

function* topology(): Steps<Topology> {
  const { rows } = yield* run(`show global status like 'wsrep_cluster_size'`);
  const members = Number(rows[0]?.['Value'] ?? 0);
  return { topology: members === 0 ? 'one server' : `Galera, ${members} members`, warnings: [] };
}

const mysqlEngine: EngineWords = {
  version: `select concat(version(), ' ', @@version_comment) as words`,
  topology,
  probes: {
    begin: 'start transaction',
    take: 'select get_lock(?, 0) as taken',
    tryToTake: 'select get_lock(?, 0) as taken',
    giveBack: 'select release_lock(?) as given',
  },
};

/** MariaDB and MySQL 8 through `mysql2`. */
export const mysqlDialect = (): Dialect => ({
  driver: mysqlDriver,
  schema: mysqlSchema,
  sql: mysqlSql,
  // Transactions of their own: the server joins their waits for the disk by itself.
  commits: { lanes: 8, limit: 1, patience: 0 },
  finds: { lanes: 8, limit: 1, patience: 0 },
  looks: { lanes: 2, limit: 128, patience: 16, gathersTurn: true },
  readFault: mysqlFault,
  engine: mysqlEngine,
  ...stepwise({ sql: mysqlSql, insertNew }, ' for update'),
  commit: commitOnMysql,
  ...mysqlClaims,
  ...mysqlDelivery,
  insertNew,
  locking: ' for update',
  purge,
});
