import type { Row } from '../database/outcome.js';

/** Whether a column holds text or a 64-bit integer, as far as binding and reading go. */
export type FieldKind = 'text' | 'integer';

/** Columns of a table that are written, in the order in which their values stand. */
export type Fields = Readonly<Record<string, FieldKind>>;

/** The text of a column. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text.`);
  return value;
}

/** The text of a column; null is absent. */
export const optionalText = (row: Row, column: string): string | undefined =>
  row[column] === null ? undefined : text(row, column);

/** The integer of a column; drivers answer 64 bits as a number, a text or a bigint. */
export const integer = (row: Row, column: string): number => Number(row[column]);

/** The integer of a column; null is absent. */
export const optionalInteger = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : Number(row[column]);

/** The JSON of a column. */
export const json = (row: Row, column: string): unknown => JSON.parse(text(row, column));
