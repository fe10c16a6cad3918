import { commitRefusals, type CommitResult } from '@calends/core/store';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { integer, optionalText } from '../../sql/rows.js';
import { type Steps } from '../../sql/steps.js';
import { commitStatement } from './commit-statement.js';

/** What the statement can tell; times are looked at before it. */
const toldInOrder = commitRefusals.filter((status) => status !== 'slotConflict');

/** What is told of a change. */
interface Told {
  isApplied: boolean;
  readonly refusals: Set<string>;
  readonly sending: string[];
}

function resultOf({ isApplied, refusals, sending }: Told): CommitResult {
  if (isApplied) return sending.length === 0 ? { status: 'committed' } : { status: 'committed', sending };
  // What stands in the way of a change that is not guarded, when nothing else does.
  return { status: toldInOrder.find((status) => refusals.has(status)) ?? 'stale' };
}

/** Writes changes with one statement that decides on each. */
export function* writeBatch(changes: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  const { rows } = yield commitStatement(changes);
  const told = changes.map((): Told => ({ isApplied: false, refusals: new Set(), sending: [] }));
  for (const row of rows) {
    const change = told[integer(row, 'position')];
    if (change === undefined) continue;
    const refusal = optionalText(row, 'refusal');
    if (refusal === undefined) change.isApplied = true;
    else change.refusals.add(refusal);
    // The column is there only where notifications were to be taken back.
    if (typeof row['sending_id'] === 'string') change.sending.push(row['sending_id']);
  }
  return told.map(resultOf);
}
