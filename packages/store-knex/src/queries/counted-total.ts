import type { AppointmentListQuery, TimeRange } from '@calends/core/store';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { allOf, concat, joined, type Sql, sql } from '../sql/sql.js';
import { durationOf } from './list-filters.js';
import { type Counting, countOf, isEmpty, within } from './counted.js';

/** Windows of a total that are added up one by one, at most. */
const maxWindows = 8;

/** The ranges without what they share, in order. */
export function withoutOverlap(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const merged: TimeRange[] = [];
  for (const range of ranges
    .filter((each) => !isEmpty(each))
    .toSorted((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity))) {
    const last = merged.at(-1);
    if (last === undefined || (last.to ?? Infinity) < (range.from ?? -Infinity)) merged.push(range);
    else if (last.to !== undefined && (range.to ?? Infinity) > last.to)
      merged[merged.length - 1] = { ...last, to: range.to };
  }
  return merged;
}

/** Conditions that the counts know, on an alias; `duration` is what is compared with durations. */
const countedConditions = (
  dialect: SqlDialect,
  { organizationId, applicationIds, durations, states }: AppointmentListQuery,
  { alias, duration }: { readonly alias: string; readonly duration: string },
): readonly Sql[] => [
  sql(`${alias}.organization_id = ?`, organizationId),
  ...(applicationIds === undefined ? [] : [dialect.anyOf(`${alias}.application_id`, applicationIds)]),
  ...(durations === undefined ? [] : [dialect.anyOf(duration, durations)]),
  ...(states === undefined ? [] : [dialect.anyOf(`${alias}.state`, states)]),
];

/** The windows of a list whose total the counts tell; absent = they do not. */
export function countedWindows(query: AppointmentListQuery): readonly TimeRange[] | undefined {
  const { agentIds, organizerIds, ranges } = query;
  if (agentIds !== undefined || organizerIds !== undefined) return undefined;
  const windows = ranges === undefined ? [{}] : withoutOverlap(ranges);
  return windows.length > maxWindows ? undefined : windows;
}

/** How the counts tell a list. */
export const countingOf = (dialect: SqlDialect, query: AppointmentListQuery): Counting => ({
  byDuration: query.durations !== undefined,
  counted: countedConditions(dialect, query, { alias: 'c', duration: 'c.duration' }),
  rows: (range) =>
    concat(
      sql('(select count(*) from calends_appointments x where '),
      allOf([
        ...countedConditions(dialect, query, { alias: 'x', duration: durationOf('x') }),
        ...within(dialect, 'x.start_at', range),
      ]),
      sql(')'),
    ),
});

/** How many there are, as a number. */
export const countedTotal = (dialect: SqlDialect, query: AppointmentListQuery, windows: readonly TimeRange[]): Sql =>
  joined(' + ', [sql('0'), ...windows.map((window) => countOf(dialect, window, countingOf(dialect, query)))]);
