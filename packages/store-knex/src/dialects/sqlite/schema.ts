import { countRows, done, run } from '../../sql/steps.js';
import { sql } from '../../sql/sql.js';
import { additionStatements, type ColumnTypes, createStatements, type Table } from '../../schema/table.js';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

const types: ColumnTypes = {
  key: () => 'text',
  text: () => 'text',
  json: () => 'text',
  integer: () => 'integer',
  // The number of the row itself.
  serial: () => 'integer',
};

// Strict: a text in a column of integers is refused here as everywhere else.
const createTable = (table: Table): readonly string[] =>
  createStatements(table, types, ` strict${table.clustered === true ? ', without rowid' : ''}`);

export const sqliteSchema: SchemaDialect = {
  tableWriter: () => done(createTable),
  *add(addition) {
    const { rows } = yield* run('select name from pragma_table_info(?)', [addition.table]);
    for (const { column, text } of additionStatements(addition, types, 'add column')) {
      if (!rows.some(({ name }) => name === column)) yield* run(text);
    }
  },
  *rowsIn(table) {
    const { rows } = yield* run('select 1 as found from sqlite_schema where name = ?', [table]);
    return rows.length === 0 ? 0 : yield* countRows(sql(`select count(*) as counted from ${table}`));
  },
  buildsAlone: 150_000,
  *dropIndex({ name }) {
    yield* run(`drop index if exists ${name}`);
  },
  resume: [],
  locksActorRows: false,
  keepsQueueApart: false,
  indexesParts: true,
  // The transaction of a migration is the only writer.
  lock: () => done(undefined),
  unlock: () => done(undefined),
  keepNames: () => done(undefined),
  lockHolders: () => done([]),
};
