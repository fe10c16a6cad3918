import type { Row } from '../../database/outcome.js';

/** A row from its values: a list is quicker to get across from the native side than an object. */
export function namedRow(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] as string] = values[index];
  return row;
}
