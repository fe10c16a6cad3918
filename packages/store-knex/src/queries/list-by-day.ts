import type { AppointmentListQuery } from '@calends/core/store';
import { concat, type Sql, sql } from '../sql/sql.js';
import { countingOf, countedWindows } from './counted-total.js';
import { countsByDay } from './counted.js';
import { listConditions } from './list-filters.js';
import { limits } from './page.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/**
 * Total and page in the order of starts, where the counts tell on which days the page lies: only their rows are read.
 *
 * Absent = the counts do not know what is asked, or the page is the first of all states and durations, which begins where the index does.
 */
export function listByDay(
  dialect: SqlDialect,
  query: AppointmentListQuery,
): { readonly tables: Sql; readonly total: Sql; readonly page: Sql } | undefined {
  const { sortField, pageNumber, durations, states } = query;
  if (sortField !== 'start' || (pageNumber === 1 && durations === undefined && states === undefined)) return undefined;
  const windows = countedWindows(query);
  if (windows === undefined || windows.length === 0) return undefined;
  const [limit, offset] = limits(query);
  const direction = query.sortOrder === 'desc' ? 'desc' : 'asc';
  return {
    // `earlier`: how many of the list come before those of the day.
    tables: concat(
      sql('with days as (select d.day, sum(d.amount) as amount from ('),
      countsByDay(dialect, windows, countingOf(dialect, query)),
      sql(
        `) d group by d.day), placed as (select ? as organization_id, d.day, d.amount,
          sum(d.amount) over (order by d.day ${direction}) - d.amount as earlier from days d) `,
        query.organizationId,
      ),
    ),
    total: sql('select coalesce(sum(d.amount), 0) as total from days d'),
    page: dialect.pageOfDays({
      organizationId: query.organizationId,
      // No bound for an index, which has that of the days: SQLite takes one of two, and not always the closer one.
      conditions: listConditions(dialect, query, '+x.start_at'),
      index:
        query.applicationIds === undefined ? 'calends_appointments_by_start' : 'calends_appointments_by_application',
      leavesOut: durations !== undefined || states !== undefined || windows.length > 1,
      direction,
      limit,
      offset,
    }),
  };
}
