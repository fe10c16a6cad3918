import { foldCounts } from '../queries/fold-counts.js';
import { sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { countRows, done, type Steps } from '../sql/steps.js';

/** Commits between two looks. */
export const lookEvery = 500;
/** So many counts that nobody has added up are too many: no worker does. */
const tooMany = 10_000;
/** More than commits write between two looks would be more than their callers should wait for. */
const portion = 1000;

const waiting = sql(`select count(*) as counted from (select id from calends_count_changes limit ${tooMany}) c`);

/**
 * Adds up what commits have counted where no worker does: after every {@link lookEvery} commits of a process. Nothing of this
 * may fail the commit.
 */
export async function addUpCounts(
  dialect: SqlDialect,
  transact: (work: () => Steps<number>) => Promise<unknown>,
): Promise<void> {
  await transact(function* () {
    return (yield* countRows(waiting)) < tooMany ? yield* done(0) : yield* foldCounts(dialect, portion);
  }).catch(() => undefined);
}
