import type { SqlValue } from '../../sql/sql.js';
import { run, type Steps } from '../../sql/steps.js';
import type { TableNames } from '../../sql/rows.js';

/** Inserts rows one by one: the statement stays prepared, and nothing is waited for between them. */
export function* insertRows({ insert }: TableNames, rows: readonly (readonly SqlValue[])[]): Steps<void> {
  for (const row of rows) yield* run(insert, row);
}
