import type { TimeRange } from '@calends/core/store';
import { allOf, concat, type Sql, sql } from '../sql/sql.js';
import { countChangeTable, countTable, dayLength, dayOf } from '../tables/counts.js';

/** A window of whole days and what of it lies at its edges; an open side has no bound. */
export interface DaySpan {
  /** Absent = it holds no whole day. */
  readonly days?: TimeRange;
  readonly edges: readonly TimeRange[];
}

/** Parts a window into whole days, which are counted by day, and edges, which are counted row by row. */
export function daySpan({ from, to }: TimeRange): DaySpan {
  const firstDay = from === undefined ? undefined : dayOf(from + dayLength - 1);
  const endDay = to === undefined ? undefined : dayOf(to);
  if (firstDay !== undefined && endDay !== undefined && firstDay >= endDay) return { edges: [{ from, to }] };
  const edges = [
    { from, to: firstDay },
    { from: endDay, to },
  ];
  return { days: { from: firstDay, to: endDay }, edges: edges.filter((edge) => edge.from !== edge.to) };
}

/** The conditions of a range on a column. */
export const within = (column: string, { from, to }: TimeRange): readonly Sql[] => [
  ...(from === undefined ? [] : [sql(`${column} >= ?`, from)]),
  ...(to === undefined ? [] : [sql(`${column} < ?`, to)]),
];

/** Sums and what came since: conditions are on `c`. */
const sources = [countTable.name, countChangeTable.name];

/** How many appointments were counted under these conditions on `c`, as a number. */
export const sumOfCounts = (conditions: readonly Sql[]): Sql =>
  concat(
    ...sources.flatMap((table, index) => [
      sql(`${index === 0 ? '' : ' + '}(select coalesce(sum(c.amount), 0) from ${table} c where `),
      allOf(conditions),
      sql(')'),
    ]),
  );
