import { done, run } from '../../database/steps.js';
import {
  checkElement,
  columnElement,
  type ColumnTypes,
  indexStatement,
  type Table,
  tableElements,
} from '../../schema/table.js';
import type { SchemaDialect } from '../dialect.js';

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

const createTable = (table: Table): readonly string[] => [
  `create table if not exists ${table.name} (${tableElements(table, types).join(', ')})`,
  ...table.indices.map((index) => indexStatement(table.name, index)),
];

export const postgresSchema: SchemaDialect = {
  tableWriter: () => done(createTable),
  *add({ table, columns, checks, indices }) {
    // The rules go with the last column: one by itself cannot be added only where it is missing.
    const rules = checks.map((rule) => ` ${checkElement(rule)}`).join('');
    for (const [index, column] of columns.entries()) {
      const rest = index === columns.length - 1 ? rules : '';
      yield* run(`alter table ${table} add column if not exists ${columnElement(column, types)}${rest}`);
    }
    for (const index of indices) yield* run(indexStatement(table, index));
  },
  resume: [],
  locksActorRows: false,
  keepsQueueApart: true,
  *lock() {
    yield* run('select pg_advisory_xact_lock(?::int8)', [migrationLock]);
  },
  // Ends with the transaction.
  unlock: () => done(undefined),
};
