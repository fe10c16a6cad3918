import type { AppointmentListQuery, TimeRange } from '@calends/core/store';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { allOf, concat, type Sql, sql } from '../sql/sql.js';
import { daySpan, sumOfCounts, within } from './counted.js';

/** Windows of a total that are added up one by one, at most. */
const maxWindows = 8;

/** The ranges without what they share, in order. */
export function withoutOverlap(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const merged: TimeRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity))) {
    const last = merged.at(-1);
    if (last === undefined || (last.to ?? Infinity) < (range.from ?? -Infinity)) merged.push(range);
    else if (last.to !== undefined && (range.to ?? Infinity) > last.to)
      merged[merged.length - 1] = { ...last, to: range.to };
  }
  return merged;
}

/** Conditions that the counts know, on an alias. */
export const countedConditions = (
  dialect: SqlDialect,
  { organizationId, applicationIds, states }: AppointmentListQuery,
  alias: string,
): readonly Sql[] => [
  sql(`${alias}.organization_id = ?`, organizationId),
  ...(applicationIds === undefined ? [] : [dialect.anyOf(`${alias}.application_id`, applicationIds)]),
  ...(states === undefined ? [] : [dialect.anyOf(`${alias}.state`, states)]),
];

/** The windows of a list whose total the counts tell; absent = they do not. */
export function countedWindows(query: AppointmentListQuery): readonly TimeRange[] | undefined {
  const { agentIds, organizerIds, durations, ranges } = query;
  if (agentIds !== undefined || organizerIds !== undefined || durations !== undefined) return undefined;
  const windows = ranges === undefined ? [{}] : withoutOverlap(ranges);
  return windows.length > maxWindows ? undefined : windows;
}

/** How many there are, as a number: whole days from the counts, edges from the rows. */
export function countedTotal(dialect: SqlDialect, query: AppointmentListQuery, windows: readonly TimeRange[]): Sql {
  const numbers = windows
    .map(daySpan)
    .flatMap(({ days, edges }) => [
      ...(days === undefined
        ? []
        : [sumOfCounts([...countedConditions(dialect, query, 'c'), ...within('c.day', days)])]),
      ...edges.map((edge) =>
        concat(
          sql('(select count(*) from calends_appointments x where '),
          allOf([...countedConditions(dialect, query, 'x'), ...within('x.start_at', edge)]),
          sql(')'),
        ),
      ),
    ]);
  return concat(...numbers.flatMap((number, index) => (index === 0 ? [number] : [sql(' + '), number])));
}
