import { concat, type Sql, sql } from '../sql/sql.js';
import type { Row } from '../sql/rows.js';
import type { Steps } from '../sql/steps.js';
import { farther, firstMark, markOf, xidOf } from './marks.js';

/** Why a reader did not answer: it lacks what was committed before, or it is no standby (any more). */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
  readonly isStandby: boolean;
  /** How far the reader is. */
  readonly seen: string;

  constructor(seen: string | undefined) {
    super('The reader has not reached the mark.');
    this.isStandby = seen !== undefined;
    this.seen = seen ?? firstMark;
  }
}

/** What was read, and up to which mark the reader had everything. */
export interface Seen<Result> {
  readonly result: Result;
  readonly seen: string;
}

/**
 * A statement that tells how far its own snapshot is, and reads nothing where that is before the mark.
 *
 * Every transaction before the `xmin` of a snapshot is over for it. Asking a snapshot of a standby about one transaction
 * (`pg_visible_in_snapshot`) is wrong while others go on: it holds no list of those that are under way, and calls them visible.
 *
 * The one row on the left can be joined by a loop only, which keeps the order of the rows.
 */
export function seenStatement(statement: Sql, mark: string): Sql {
  return concat(
    sql(`select f.calends_seen, s.* from (
      select case when pg_is_in_recovery() then pg_snapshot_xmin(pg_current_snapshot()) end as calends_seen
    ) f left join lateral (select 1 as calends_row, q.* from (`),
    statement,
    sql(') q) s on f.calends_seen > ?::xid8', xidOf(mark)),
  );
}

/** The mark of the last transaction before the `xmin` of a snapshot. */
const lastBefore = (xmin: string): string => markOf(String(BigInt(xmin) - 1n));

function seenOf(first: Row | undefined): string | undefined {
  const xmin = first?.['calends_seen'];
  return typeof xmin === 'string' ? lastBefore(xmin) : undefined;
}

/**
 * Work that only reads, each statement of which has seen everything up to the mark.
 *
 * @throws NotSeen when the reader is not that far, or is no standby
 */
export function* seenSteps<Result>(mark: string, work: () => Steps<Result>): Steps<Seen<Result>> {
  const steps = work();
  let seen: string | undefined;
  let state = steps.next();
  while (state.done !== true) {
    const { rows } = yield seenStatement(state.value, mark);
    const own = seenOf(rows[0]);
    if (own === undefined || own < mark) throw new NotSeen(own);
    seen = seen === undefined || farther(own, seen) === seen ? own : seen;
    const found = rows.filter((row) => row['calends_row'] !== null);
    state = steps.next({ rows: found, affected: found.length });
  }
  return { result: state.value, seen: seen ?? mark };
}

/** Up to which mark everything is over at the primary. */
export function* reachedAtPrimary(): Steps<string> {
  const { rows } = yield sql('select pg_snapshot_xmin(pg_current_snapshot()) as calends_seen');
  return seenOf(rows[0]) ?? firstMark;
}
