import { StoreError } from '@calends/core/store';
import { countRows, done, run, runSingle } from '../../sql/steps.js';
import { sql } from '../../sql/sql.js';
import { additionStatements, type ColumnTypes, createStatements, indexStatement } from '../../schema/table.js';
import { integer, text } from '../../sql/rows.js';
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

/** Milliseconds to wait for the lock of a table: everybody who comes for it later waits behind. */
const lockTimeout = 500;

const holdersQuery = `select 'process ' || a.pid || ' (' || coalesce(nullif(a.application_name, ''), a.backend_type) || ', '
    || a.state || ', ' || string_agg(distinct c.relname, ' ') || ')' as holder
  from pg_locks l join pg_class c on c.oid = l.relation join pg_stat_activity a on a.pid = l.pid
  where l.granted and c.relkind = 'r' and c.relname like 'calends%' and a.pid <> pg_backend_pid()
    and a.datname = current_database()
  group by a.pid, a.application_name, a.backend_type, a.state, a.xact_start order by a.xact_start limit 5`;

const isThere = 'select 1 as found where to_regclass(?) is not null';

/** What an index that was not built to its end leaves behind. */
const isInvalid = 'select 1 as found from pg_index where indexrelid = to_regclass(?) and not indisvalid';

const tryToLock = 'select case when pg_try_advisory_xact_lock(?::int8) then 1 else 0 end as held';

export const postgresSchema: SchemaDialect = {
  tableWriter: () => done((table) => createStatements(table, types)),
  *add(addition) {
    for (const { text: statement } of additionStatements(addition, types, 'add column if not exists'))
      yield* run(statement);
  },
  *addBeside({ table, columns, indices = [] }) {
    // It comes with a step of the same run, empty.
    if ((yield* run(isThere, [table])).rows.length === 0) return;
    yield* run(`set statement_timeout = ${statementTimeout}`);
    yield* run(`set lock_timeout = ${lockTimeout}`);
    try {
      for (const { text: statement } of additionStatements({ table, columns }, types, 'add column if not exists'))
        yield* run(statement);
      // It waits for those who are writing, and nobody waits for it.
      yield* run('set lock_timeout = 0');
      for (const index of indices) {
        if ((yield* run(isInvalid, [index.name])).rows.length > 0) yield* run(`drop index concurrently ${index.name}`);
        yield* run(indexStatement(table, index, ' concurrently'));
      }
    } finally {
      yield* run('reset lock_timeout');
      yield* run('reset statement_timeout');
    }
  },
  // A statement with values keeps its snapshot until the next one comes.
  *letGo() {
    yield* run(`set local lock_timeout = ${lockTimeout}`);
  },
  rowsIn: (table) =>
    countRows(
      sql(
        'select coalesce(max(greatest(reltuples, 0)), 0)::int8 as counted from pg_class where oid = to_regclass(?)',
        table,
      ),
    ),
  *percentBuilt() {
    const row = yield* runSingle(
      `select (100 * blocks_done / blocks_total)::int as percent from pg_stat_progress_create_index
       where datname = current_database() and blocks_total > 0 limit 1`,
      [],
    );
    return row === undefined ? undefined : integer(row, 'percent');
  },
  *dropIndex({ name }) {
    yield* run(`drop index if exists ${name}`);
  },
  resume: [],
  locksActorRows: false,
  keepsQueueApart: true,
  *lock() {
    yield* run(`set local statement_timeout = ${statementTimeout}`);
    yield* run(`set local lock_timeout = ${lockTimeout}`);
    // Not waited for here: whoever builds an index beside others waits for every transaction that does.
    if (Number((yield* run(tryToLock, [migrationLock])).rows[0]?.['held']) === 1) return;
    throw new StoreError('contention', 'Another process is migrating the database.');
  },
  // Ends with the transaction.
  unlock: () => done(undefined),
  keepNames: () => done(undefined),
  *lockHolders() {
    const { rows } = yield* run(holdersQuery);
    return rows.map((row) => text(row, 'holder'));
  },
};
