import type { Outcome, Row } from './rows.js';
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
