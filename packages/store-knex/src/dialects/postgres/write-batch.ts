import type { CommitResult } from '@calends/core';
import type { PreparedChange } from '../../commit/prepared-change.js';
import type { SqlValue } from '../../database/sql.js';
import { run, type Steps } from '../../database/steps.js';
import { integer } from '../../rows/fields.js';
import { type BatchRows, rowsOf } from './batch-rows.js';
import { type RowCount, rowCount, rowValues } from './column-lists.js';
import { commitStatement, type RowSet, rowSetNames, rowSets } from './commit-statement.js';
import { insertStatement } from './insert-statement.js';

type StatementMaker = (counts: ReadonlyMap<RowSet, RowCount>) => string;

/** Statements by the kinds of rows that occur and how many; few in practice. */
const rememberedStatements = 500;

function remembering(make: StatementMaker): StatementMaker {
  const statements = new Map<string, string>();
  return (counts) => {
    const key = Array.from(counts, ([set, count]) => `${set} ${count}`).join(' ');
    const known = statements.get(key);
    if (known !== undefined) return known;
    const statement = make(counts);
    if (statements.size < rememberedStatements) statements.set(key, statement);
    return statement;
  };
}

const checkedStatement = remembering(commitStatement);
const uncheckedStatement = remembering(insertStatement);

/** The kinds of rows that occur; an update may leave no actor, and still takes the old ones away. */
const occurring = (rows: BatchRows): readonly RowSet[] =>
  rowSetNames.filter((set) => rows[set].length > 0 || (set === 'actors' && rows.changed.length > 0));

function bind(
  rows: BatchRows,
  statement: StatementMaker,
): { readonly text: string; readonly values: readonly SqlValue[] } {
  const sets = occurring(rows);
  return {
    text: statement(new Map(sets.map((set) => [set, rowCount(rows[set])]))),
    values: sets.flatMap((set) => rowValues(rowSets[set], rows[set])),
  };
}

const committed: CommitResult = { status: 'committed' };

/** Writes changes with one statement that decides on each. */
export function* writeBatch(changes: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  const { text, values } = bind(rowsOf(changes), checkedStatement);
  const outcome = yield* run(text, values);
  const stands = new Set<number>();
  const owned = new Set<number>();
  for (const row of outcome.rows) (integer(row, 'stands') === 1 ? stands : owned).add(integer(row, 'position'));
  return changes.map(({ change }, position) => {
    if (stands.has(position)) return committed;
    return { status: change.request === undefined || owned.has(position) ? 'stale' : 'requestLost' };
  });
}

/** Tells whether changes only make appointments, and nothing but a taken id can refuse one of them. */
export const onlyInserts = (changes: readonly PreparedChange[]): boolean =>
  changes.every(
    ({ change, removedCustomers }) =>
      change.appointment?.kind === 'insert' && change.request === undefined && removedCustomers.length === 0,
  );

/**
 * Writes new appointments with one statement that does not ask whether their ids are taken: a duplicate key then
 * undoes it.
 */
export function* writeInserts(changes: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  const { text, values } = bind(rowsOf(changes), uncheckedStatement);
  yield* run(text, values);
  return changes.map(() => committed);
}
