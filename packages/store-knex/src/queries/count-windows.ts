import { maxDuration, type TimeRange, type TimeWindow, type WindowCountQuery } from '@calends/core/store';
import { integer } from '../sql/rows.js';
import { allOf, concat, joined, type Sql, sql } from '../sql/sql.js';
import { runSingle, type Steps } from '../sql/steps.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { isLive } from '../tables/appointments.js';
import { countOf, within } from './counted.js';

const liveCounts = sql(isLive.replace('a.', 'c.'));

type Scope = Pick<WindowCountQuery, 'organizationId' | 'applicationId'>;

const ofApplication = (alias: string, { organizationId, applicationId }: Scope): Sql =>
  sql(`${alias}.organization_id = ? and ${alias}.application_id = ?`, organizationId, applicationId);

/** Live appointments of an application under these conditions on `a`, as a number. */
const liveRows = (scope: Scope, conditions: readonly Sql[]): Sql =>
  concat(
    sql('(select count(*) from calends_appointments a where '),
    allOf([ofApplication('a', scope), ...conditions, sql(isLive)]),
    sql(')'),
  );

/** Those that start in the window (D27). */
const starting = (dialect: SqlDialect, scope: Scope, window: TimeWindow, isCounted: boolean): Sql => {
  const rows = (range: TimeRange): Sql => liveRows(scope, within(dialect, 'a.start_at', range));
  return isCounted
    ? countOf(dialect, window, { counted: [ofApplication('c', scope), liveCounts], rows })
    : rows(window);
};

const ways = {
  starting,
  /** Those that intersect it (D29): they start in it, or before and end in it or later. What began longer ago than the longest duration has ended. */
  overlapping: (dialect: SqlDialect, scope: Scope, window: TimeWindow, isCounted: boolean): Sql =>
    joined(' + ', [
      starting(dialect, scope, window, isCounted),
      liveRows(scope, [
        sql('a.start_at > ? and a.start_at < ? and a.end_at > ?', window.from - maxDuration, window.from, window.from),
      ]),
    ]),
} as const;

/** How many live appointments of an application each window counts, in the order of the windows; all of one state of the database. */
export function* countWindows(
  dialect: SqlDialect,
  query: WindowCountQuery,
  way: keyof typeof ways,
  isCounted: boolean,
): Steps<readonly number[]> {
  const { windows } = query;
  if (windows.length === 0) return [];
  // One by one with their values: databases read no more than each window then.
  const columns = windows.map((window, place) =>
    concat(ways[way](dialect, query, window, isCounted), sql(` as counted_${place}`)),
  );
  const { text, values } = concat(sql('select '), joined(', ', columns));
  const row = (yield* runSingle(text, values)) ?? {};
  return windows.map((_, place) => integer(row, `counted_${place}`));
}
