import { integer, type Outcome, type Row, type TableNames } from './rows.js';
import type { Sql, SqlValue } from './sql.js';

/**
 * Work on one connection, as the statements that it wants to have run and what it makes of their outcomes.
 *
 * Anyone who drives it decides whether to wait: over a driver that answers at once (SQLite) the whole work, a
 * transaction included, is done before anything else in the process gets a turn; over a network each statement is
 * awaited. A fault of a statement is thrown where the work asked for it.
 */
export type Steps<Result> = Generator<Sql, Result, Outcome>;

/** Runs one statement: `?` for each value, and no value in the text. */
export function* run(text: string, values: readonly SqlValue[] = []): Steps<Outcome> {
  return yield { text, values };
}

/** Runs one statement that answers one row at most. */
export function* runSingle(text: string, values: readonly SqlValue[]): Steps<Row | undefined> {
  const { rows } = yield { text, values, single: true };
  return rows[0];
}

/** What is read from the row of a statement that answers one row at most. */
export function* findRow<Result>(
  text: string,
  values: readonly SqlValue[],
  read: (row: Row) => Result,
): Steps<Result | undefined> {
  const row = yield* runSingle(text, values);
  return row === undefined ? undefined : read(row);
}

/** What is read from each row of a statement. */
export function* listRows<Result>(statement: Sql, read: (row: Row) => Result): Steps<readonly Result[]> {
  const { rows } = yield statement;
  return rows.map(read);
}

/** The number that a statement answers in its one row, as `counted`. */
export function* countRows(statement: Sql): Steps<number> {
  const { rows } = yield statement;
  return rows[0] === undefined ? 0 : integer(rows[0], 'counted');
}

/** Work that is done without asking the database. */
export function* done<Result>(result: Result): Steps<Result> {
  yield* [];
  return result;
}

/** Runs a statement for real. */
export type Perform = (statement: Sql) => Promise<Outcome> | Outcome;

/** Drives work to its end. */
export async function drive<Result>(steps: Steps<Result>, perform: Perform): Promise<Result> {
  let state = steps.next();
  while (state.done !== true) {
    let outcome: Outcome;
    try {
      const answer = perform(state.value);
      // Only where there is something to wait for: an await would give others a turn.
      outcome = answer instanceof Promise ? await answer : answer;
    } catch (error) {
      state = steps.throw(error);
      continue;
    }
    state = steps.next(outcome);
  }
  return state.value;
}

/** Inserts a row; false when its key is taken, with nothing written. */
export type InsertNew = (table: TableNames, values: readonly SqlValue[]) => Steps<boolean>;

/** Inserts a row, on databases with `on conflict`; false when its key is taken, also by somebody who has not committed yet but will. */
export function* insertNew({ insert }: TableNames, values: readonly SqlValue[]): Steps<boolean> {
  return (yield* run(`${insert} on conflict do nothing`, values)).affected > 0;
}
