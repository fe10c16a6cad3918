import { maxDuration, type WindowCountQuery } from '@calends/core/store';
import { listRows, type Steps } from '../sql/steps.js';
import { concat, sql } from '../sql/sql.js';
import { integer } from '../sql/rows.js';
import { isLive } from '../tables/appointments.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** Which appointments a window counts, as a condition on `a` and the window `w`. */
const counted = {
  /** Those that start in it (D27). */
  starting: 'a.start_at >= w.lower_bound and a.start_at < w.upper_bound',
  /** Those that intersect it (D29); what began longer ago than the longest duration has ended. */
  overlapping: `a.start_at < w.upper_bound and a.start_at > w.lower_bound - ${maxDuration}
    and a.end_at > w.lower_bound`,
} as const;

/** How many live appointments of an application each window counts, in the order of the windows. */
export function* countWindows(
  dialect: SqlDialect,
  query: WindowCountQuery,
  way: keyof typeof counted,
): Steps<readonly number[]> {
  if (query.windows.length === 0) return [];
  const statement = concat(
    sql(
      `select (select count(*) from calends_appointments a
         where a.organization_id = ? and a.application_id = ? and ${counted[way]}
           and ${isLive}) as counted from `,
      query.organizationId,
      query.applicationId,
    ),
    dialect.givenRows(
      { lower_bound: 'integer', upper_bound: 'integer' },
      query.windows.map(({ from, to }) => [from, to]),
    ),
    sql(' as w order by w.n'),
  );
  return yield* listRows(statement, (row) => integer(row, 'counted'));
}
