import { done, run } from '../../sql/steps.js';
import { additionStatements, type ColumnTypes, createStatements } from '../../schema/table.js';
import { text } from '../../sql/rows.js';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

/** Compared and sorted by code point, whatever the database's own collation is. */
const byCodePoint = (): string => 'text collate "C"';

const types: ColumnTypes = {
  key: byCodePoint,
  text: byCodePoint,
  json: () => 'text',
  integer: () => 'bigint',
};

/** Chosen once; parts the lock of the migrations from those of the host. */
const migrationLock = 7_220_301_846_153;

/** Milliseconds that one statement of a migration may take: an index over a great table. */
const statementTimeout = 600_000;

/** Milliseconds to wait for another process that migrates. */
const patience = 60_000;
/** Milliseconds to wait for the lock of a table: everybody who comes for it later waits behind. */
const lockTimeout = 500;

const holdersQuery = `select 'process ' || a.pid || ' (' || coalesce(nullif(a.application_name, ''), a.backend_type) || ', '
    || a.state || ', ' || string_agg(distinct c.relname, ' ') || ')' as holder
  from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
  where l.granted and c.relkind = 'r' and c.relname like 'calends%' and a.pid <> pg_backend_pid()
    and a.datname = current_database()
  group by a.pid, a.application_name, a.backend_type, a.state, a.xact_start order by a.xact_start limit 5`;

export const postgresSchema: SchemaDialect = {
  tableWriter: () => done((table) => createStatements(table, types)),
  *add(addition) {
    for (const { text: statement } of additionStatements(addition, types, 'add column if not exists'))
      yield* run(statement);
  },
  resume: [],
  locksActorRows: false,
  keepsQueueApart: true,
  *lock() {
    yield* run(`set local statement_timeout = ${statementTimeout}`);
    yield* run(`set local lock_timeout = ${patience}`);
    yield* run('select pg_advisory_xact_lock(?::int8)', [migrationLock]);
    yield* run(`set local lock_timeout = ${lockTimeout}`);
  },
  // Ends with the transaction.
  unlock: () => done(undefined),
  keepNames: () => done(undefined),
  *lockHolders() {
    const { rows } = yield* run(holdersQuery);
    return rows.map((row) => text(row, 'holder'));
  },
};
