import type { SqlValue } from '../database/sql.js';
import { run, type Steps } from '../database/steps.js';
import type { TableNames } from '../tables/table.js';

/** Inserts a row, on databases with `on conflict`; false when its key is taken, also by somebody who has not committed yet but will. */
export function* insertNew({ insert }: TableNames, values: readonly SqlValue[]): Steps<boolean> {
  return (yield* run(`${insert} on conflict do nothing`, values)).affected > 0;
}
