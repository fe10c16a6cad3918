import { done, run } from '../../sql/steps.js';
import {
  checkElement,
  columnElement,
  type ColumnTypes,
  indexStatement,
  type Table,
  tableElements,
} from '../../schema/table.js';
import type { SchemaDialect } from '../../schema/schema-dialect.js';

const types: ColumnTypes = {
  key: () => 'text',
  text: () => 'text',
  json: () => 'text',
  integer: () => 'integer',
};

const createTable = ({ indices = [], ...table }: Table): readonly string[] => [
  // Strict: a text in a column of integers is refused here as everywhere else.
  `create table if not exists ${table.name} (${tableElements(table, types).join(', ')}) strict${table.clustered === true ? ', without rowid' : ''}`,
  ...indices.map((index) => indexStatement(table.name, index)),
];

export const sqliteSchema: SchemaDialect = {
  tableWriter: () => done(createTable),
  *add({ table, columns, checks = [], indices = [] }) {
    // It adds one column at a time, and a rule only with a column.
    const rules = checks.map((rule) => ` ${checkElement(rule)}`).join('');
    const { rows } = yield* run('select name from pragma_table_info(?)', [table]);
    for (const [index, column] of columns.entries()) {
      if (rows.some(({ name }) => name === column.name)) continue;
      const rest = index === columns.length - 1 ? rules : '';
      yield* run(`alter table ${table} add column ${columnElement(column, types)}${rest}`);
    }
    for (const index of indices) yield* run(indexStatement(table, index));
  },
  resume: [],
  locksActorRows: false,
  keepsQueueApart: false,
  // The transaction of a migration is the only writer.
  lock: () => done(undefined),
  unlock: () => done(undefined),
  keepNames: () => done(undefined),
  lockHolders: () => done([]),
};
