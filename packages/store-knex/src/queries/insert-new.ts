import type { SqlValue } from '../sql/sql.js';
import { run, type Steps } from '../sql/steps.js';
import type { TableNames } from '../sql/rows.js';

/** Inserts a row; false when its key is taken, with nothing written. */
export type InsertNew = (table: TableNames, values: readonly SqlValue[]) => Steps<boolean>;

/** Inserts a row, on databases with `on conflict`; false when its key is taken, also by somebody who has not committed yet but will. */
export function* insertNew({ insert }: TableNames, values: readonly SqlValue[]): Steps<boolean> {
  return (yield* run(`${insert} on conflict do nothing`, values)).affected > 0;
}
