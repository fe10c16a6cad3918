import type { SqlValue } from '../../sql/sql.js';
import { type FieldKind, type Fields } from '../../sql/rows.js';

const types: Readonly<Record<FieldKind, string>> = { text: 'text', integer: 'int8' };

/** Rows that are spelt out in the text of a statement, at most. */
const fewRows = 3;

/** How many rows a statement has: spelt out for a few, else as lists. */
export type RowCount = number | 'many';

export const rowCount = (rows: readonly unknown[]): RowCount =>
  rows.length > 0 && rows.length <= fewRows ? rows.length : 'many';

/**
 * The rows of a statement as a table.
 *
 * A few are spelt out, `values (?::text, …)`: quickest to bind and to plan. Many travel as one list per column,
 * `unnest(?::text[], …)`, so that the text is the same for every number of them and stays prepared.
 */
export function rowSource(fields: Fields, count: RowCount): string {
  const kinds = Object.values(fields);
  if (count === 'many') return `unnest(${kinds.map((kind) => `?::${types[kind]}[]`).join(', ')})`;
  const row = `(${kinds.map((kind) => `?::${types[kind]}`).join(', ')})`;
  return `(values ${Array.from({ length: count }, () => row).join(', ')})`;
}

/** Names of the fields with a comma between them. */
export const nameList = (fields: Fields): string => Object.keys(fields).join(', ');

/** Rows turned into one list per field; none for a field that has nothing in it, which `unnest` fills up with nulls. */
export function columnLists(fields: Fields, rows: readonly (readonly SqlValue[])[]): readonly SqlValue[] {
  return Object.keys(fields).map((_, index) => {
    const values: (string | number | null)[] = [];
    let isEmpty = true;
    for (const row of rows) {
      const value = row[index] as string | number | null;
      if (value !== null) isEmpty = false;
      values.push(value);
    }
    return isEmpty ? null : values;
  });
}
