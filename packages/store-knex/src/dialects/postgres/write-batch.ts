import { commitRefusals, type CommitResult, type RefusalStatus } from '@calends/core/store';
import type { PreparedChange } from '../../commit/prepared-change.js';
import type { SqlValue } from '../../sql/sql.js';
import { run, type Steps } from '../../sql/steps.js';
import { integer } from '../../sql/rows.js';
import { type BatchRows, rowsOf } from './batch-rows.js';
import { type RowCount, rowValues } from './column-lists.js';
import { commitStatement } from './commit-statement.js';
import { countOf, type RowSet, rowSetNames, rowSets } from './row-sets.js';

/** Statements by the kinds of rows that occur and how many; few in practice. */
const rememberedStatements = 500;
const statements = new Map<string, string>();

function statementFor(counts: ReadonlyMap<RowSet, RowCount>): string {
  const key = Array.from(counts, ([set, count]) => `${set} ${count}`).join(' ');
  const known = statements.get(key);
  if (known !== undefined) return known;
  const statement = commitStatement(counts);
  if (statements.size < rememberedStatements) statements.set(key, statement);
  return statement;
}

/** The kinds of rows that occur; an update may leave no actor, and still takes the old ones away. */
const occurring = (rows: BatchRows): readonly RowSet[] =>
  rowSetNames.filter((set) => rows[set].length > 0 || (set === 'actors' && rows.changed.length > 0));

function bind(rows: BatchRows): { readonly text: string; readonly values: readonly SqlValue[] } {
  const counts = new Map(occurring(rows).map((set) => [set, countOf(set, rows[set])]));
  return {
    text: statementFor(counts),
    values: [...counts].flatMap(([set, count]) => rowValues(rowSets[set], rows[set], count)),
  };
}

/** What a statement can tell; times are looked at before it. */
const toldInOrder = commitRefusals.filter((status) => status !== 'slotConflict');

const committed: CommitResult = { status: 'committed' };

/** Writes changes with one statement that decides on each. */
export function* writeBatch(changes: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  const statement = bind(rowsOf(changes));
  const { rows } = yield* run(statement.text, statement.values);
  const stands = new Set<number>();
  const taken = new Set<number>();
  const unused = new Set<number>();
  const sets = [taken, stands, unused];
  const sending = new Map<number, string[]>();
  for (const row of rows) {
    const position = integer(row, 'position');
    sets[integer(row, 'stands')]?.add(position);
    // The column is there only where notifications were to be taken back.
    if (typeof row['sending_id'] === 'string') {
      sending.set(position, [...(sending.get(position) ?? []), row['sending_id']]);
    }
  }
  return changes.map(({ change }, position) => {
    const sendingIds = sending.get(position);
    if (sendingIds !== undefined) return { status: 'committed', sending: sendingIds };
    if (stands.has(position)) return committed;
    const applies: Readonly<Record<Exclude<RefusalStatus, 'slotConflict'>, boolean>> = {
      requestLost: taken.has(position),
      otpUsed: change.otp !== undefined && !unused.has(position),
      // Looked at before the statement, under a lock that is still held.
      proofLost: false,
      // What stands in the way of a change that is not guarded, when nothing else does.
      stale: true,
    };
    return { status: toldInOrder.find((status) => applies[status]) ?? 'stale' };
  });
}
