import type { SqlValue } from '../../database/driver.js';
import { type FieldKind, type Fields, fieldNames } from '../../rows/fields.js';

const arrayTypes: Readonly<Record<FieldKind, string>> = { text: 'text[]', integer: 'int8[]' };

/**
 * `unnest(?::text[], ?::int8[], …)` for the fields: rows travel as one list per column, so that the text of a
 * statement is the same for every number of rows and stays prepared.
 */
export const unnest = (fields: Fields): string =>
  `unnest(${Object.values(fields)
    .map((kind) => `?::${arrayTypes[kind]}`)
    .join(', ')})`;

/** Names of the fields with a comma between them. */
export const nameList = (fields: Fields): string => fieldNames(fields).join(', ');

/** Rows turned into one list per field. */
export function columnLists(fields: Fields, rows: readonly (readonly SqlValue[])[]): readonly SqlValue[] {
  return fieldNames(fields).map((_, index) => rows.map((row) => row[index] as string | number | null));
}
