import { places, type SqlValue } from '../../database/sql.js';
import { run, type Steps } from '../../database/steps.js';
import { type Fields, fieldNames } from '../../rows/fields.js';

/** The statement that inserts a row. */
export const insertInto = (table: string, fields: Fields): string =>
  `insert into ${table} (${fieldNames(fields).join(', ')}) values (${places(fieldNames(fields).length)})`;

/** Inserts a row; false when its key is taken. */
export function* insertNew(table: string, fields: Fields, values: readonly SqlValue[]): Steps<boolean> {
  return (yield* run(`${insertInto(table, fields)} on conflict do nothing`, values)).affected > 0;
}

/** Inserts rows one by one: the statement stays prepared, and nothing is waited for between them. */
export function* insertRows(table: string, fields: Fields, rows: readonly (readonly SqlValue[])[]): Steps<void> {
  if (rows.length === 0) return;
  const insert = insertInto(table, fields);
  for (const row of rows) yield* run(insert, row);
}
