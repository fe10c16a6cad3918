import { insertNew, run, type Steps } from '../sql/steps.js';
import { stepwise } from './stepwise.js';
import type { Dialect } from './dialect.js';
import { commitOnSqlite, sqliteClaims } from './sqlite/writes.js';
import { sqliteSql } from './sqlite/sql.js';
import { sqliteDriver } from './sqlite/driver.js';
import { sqliteFault } from './sqlite/faults.js';
import { sqliteSchema } from './sqlite/schema.js';
import type { Purge } from '../queries/purges.js';

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
  commits: { lanes: 1, limit: 256, patience: 0, gathersTurn: true },
  finds: { lanes: 1, limit: 256, patience: 0, gathersTurn: true },
  looks: { lanes: 1, limit: 1, patience: 0 },
  readFault: sqliteFault,
  engine: { version: `select 'SQLite ' || sqlite_version() as words` },
  ...stepwise({ sql: sqliteSql, insertNew }, ''),
  commit: commitOnSqlite,
  ...sqliteClaims,
  insertNew,
  locking: '',
  purge,
});
