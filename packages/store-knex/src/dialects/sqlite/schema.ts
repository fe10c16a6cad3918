import { done } from '../../database/steps.js';
import { type ColumnTypes, indexStatement, type Table, tableElements } from '../../schema/table.js';
import type { SchemaDialect } from '../dialect.js';

const types: ColumnTypes = {
  key: () => 'text',
  text: () => 'text',
  json: () => 'text',
  integer: () => 'integer',
};

const createTable = (table: Table): readonly string[] => [
  // Strict: a text in a column of integers is refused here as everywhere else.
  `create table if not exists ${table.name} (${tableElements(table, types).join(', ')}) strict${table.clustered === true ? ', without rowid' : ''}`,
  ...table.indices.map((index) => indexStatement(table, index)),
];

export const sqliteSchema: SchemaDialect = {
  tableWriter: () => done(createTable),
  resume: [],
  locksActorRows: false,
  // The transaction of a migration is the only writer.
  lock: () => done(undefined),
  unlock: () => done(undefined),
};
