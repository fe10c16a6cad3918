import { places, type SqlValue } from '../../database/sql.js';
import { run, type Steps } from '../../database/steps.js';
import { type Fields, fieldNames } from '../../rows/fields.js';
import { nameList } from './column-lists.js';

/** Inserts a row; false when its key is taken, also by somebody who has not committed yet but will. */
export function* insertNew(table: string, fields: Fields, values: readonly SqlValue[]): Steps<boolean> {
  const row = places(fieldNames(fields).length);
  const insert = `insert into ${table} (${nameList(fields)}) values (${row}) on conflict do nothing`;
  return (yield* run(insert, values)).affected > 0;
}
