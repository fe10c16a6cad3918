import { StoreError } from '@calends/core/store';
import { countRows, run, type Steps } from '../../sql/steps.js';
import { sql } from '../../sql/sql.js';
import { text } from '../../sql/rows.js';
import {
  type Addition,
  checkElement,
  columnElement,
  type ColumnTypes,
  type Index,
  tableElements,
} from '../../schema/table.js';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

const types: ColumnTypes = {
  key: ({ length = 128 }) => `varchar(${length})`,
  text: () => 'text',
  json: () => 'mediumtext',
  integer: () => 'bigint',
  serial: () => 'bigint auto_increment',
};

/** Seconds to wait for another process that migrates. */
const patience = 60;

/** Locks of this kind are those of the whole server: the name holds the database's. */
const lockName = `concat('calends_', left(sha1(database()), 40))`;

/**
 * Collations that compare by code point and count trailing blanks, of MariaDB and of MySQL. `utf8mb4_bin` pads:
 * it takes 'a' and 'a ' for equal.
 */
const collations = ['utf8mb4_nopad_bin', 'utf8mb4_0900_bin'];

function* byCodePoint(): Steps<string> {
  const { rows } = yield* run(
    'select collation_name as name from information_schema.collations where collation_name in (?, ?)',
    collations,
  );
  const found = collations.find((collation) => rows.some(({ name }) => name === collation));
  if (found === undefined) {
    throw new StoreError('unexpected', 'The server has no collation that tells ids with trailing blanks apart.');
  }
  return found;
}

const indexElement = ({ name, columns, unique }: Index): string =>
  `${unique === true ? 'unique ' : ''}index ${name} (${columns.join(', ')})`;

/** Names of the columns and indices of a table. */
function* namesIn(table: string): Steps<ReadonlySet<unknown>> {
  const { rows } = yield* run(
    `select column_name as name from information_schema.columns where table_schema = database() and table_name = ?
     union all
     select index_name from information_schema.statistics where table_schema = database() and table_name = ?`,
    [table, table],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Tells whether an addition was made before: all of it, since it is one statement. */
function* isMade({ table, columns, indices = [] }: Addition): Steps<boolean> {
  const found = yield* namesIn(table);
  return [...columns, ...indices].every(({ name }) => found.has(name));
}

export const mysqlSchema: SchemaDialect = {
  *tableWriter() {
    const collation = yield* byCodePoint();
    // One statement, since the server commits each by itself; it cannot index a part of the rows.
    return ({ indices = [], ...table }) => [
      `create table if not exists ${table.name} (${[...tableElements(table, types), ...indices.map(indexElement)].join(
        ', ',
      )}) engine = InnoDB default character set utf8mb4 collate ${collation}`,
    ];
  },
  *add(addition) {
    if (yield* isMade(addition)) return;
    const { columns, checks = [], indices = [] } = addition;
    const parts = [
      ...columns.map((column) => `add column ${columnElement(column, types)}`),
      ...checks.map((rule) => `add ${checkElement(rule)}`),
      ...indices.map((index) => `add ${indexElement(index)}`),
    ];
    yield* run(`alter table ${addition.table} ${parts.join(', ')}`);
  },
  rowsIn: (table) =>
    countRows(
      sql(
        `select coalesce(max(table_rows), 0) as counted from information_schema.tables
         where table_schema = database() and table_name = ?`,
        table,
      ),
    ),
  *dropIndex({ table, name }) {
    if ((yield* namesIn(table)).has(name)) yield* run(`alter table ${table} drop index ${name}`);
  },
  resume: ['start transaction'],
  locksActorRows: true,
  keepsQueueApart: false,
  indexesParts: false,
  *lock() {
    yield* run(`set @calends_limit = 0 /*M!100101 , @calends_limit = @@max_statement_time, max_statement_time = 0 */`);
    yield* run('set @calends_lock_wait = @@lock_wait_timeout, lock_wait_timeout = 1');
    const { rows } = yield* run(`select get_lock(${lockName}, ?) as held`, [patience]);
    if (Number(rows[0]?.['held']) !== 1) {
      throw new StoreError('contention', 'Another process is migrating the database and does not come to an end.');
    }
  },
  *keepNames(table) {
    // Knex would make the time a timestamp, which ends in 2038 and is written in the time zone of the process.
    yield* run(
      `create table if not exists ${table} (id int unsigned not null auto_increment primary key, name varchar(255),
        batch int, migration_time datetime)`,
    );
    const { rows } = yield* run(
      `select 1 as found from information_schema.columns
       where table_schema = database() and table_name = ? and column_name = 'migration_time' and data_type = 'timestamp'`,
      [table],
    );
    if (rows.length > 0) yield* run(`alter table ${table} modify migration_time datetime`);
  },
  *lockHolders() {
    const { rows } = yield* run(
      `select concat('connection ', p.id, ' (', p.user, ', ', lower(p.command), ')') as holder
       from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id
       where p.db = database() and p.id <> connection_id() order by t.trx_started limit 5`,
    );
    return rows.map((row) => text(row, 'holder'));
  },
  *unlock() {
    yield* run(`select release_lock(${lockName})`);
    yield* run('set lock_wait_timeout = @calends_lock_wait');
    yield* run('set @calends_limit = @calends_limit /*M!100101 , max_statement_time = @calends_limit */');
  },
};
