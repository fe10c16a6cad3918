import type { TimeRange } from '@calends/core/store';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { allOf, concat, joined, type Sql, sql } from '../sql/sql.js';
import { countChangeTable, countTable, dayLength, dayOf, durationCountTable } from '../tables/counts.js';

/** A part of a day, of which the rows are counted one by one. */
export interface Edge extends Required<TimeRange> {
  /** First instant of the day. */
  readonly day: number;
  /** `-`: the day is counted as a whole, and this part of it lies outside the window. */
  readonly sign: '+' | '-';
}

/** A window as whole days, and what is to be added or taken off at its edges; an open side has no bound. */
export interface DaySpan {
  /** May be empty: it ends where it begins. */
  readonly days: TimeRange;
  readonly edges: readonly Edge[];
}

const emptySpan: DaySpan = { days: { from: 0, to: 0 }, edges: [] };

/** Whether the bounds of a range leave anything between them. */
export const isEmpty = ({ from = -Infinity, to = Infinity }: TimeRange): boolean => from >= to;

/** The part of a day before an instant (`part`: what is before it lies outside) or from it on, by the shorter side. */
function edgeAt(
  bound: number,
  outside: 'before' | 'after',
): { readonly whole: number; readonly edges: readonly Edge[] } {
  const day = dayOf(bound);
  const [before, after] = [
    { day, from: day, to: bound },
    { day, from: bound, to: day + dayLength },
  ];
  if (bound === day) return { whole: day, edges: [] };
  const isEarly = bound - day < dayLength / 2;
  const whole = isEarly ? day : day + dayLength;
  const isOutside = isEarly === (outside === 'before');
  return { whole, edges: [{ ...(isEarly ? before : after), sign: isOutside ? '-' : '+' }] };
}

/** Parts a window into whole days, which are counted by day, and edges, of which the shorter side is counted row by row. */
export function daySpan(window: TimeRange): DaySpan {
  if (isEmpty(window)) return emptySpan;
  const { from, to } = window;
  if (from !== undefined && to !== undefined && to - from < dayLength / 2 && dayOf(from) === dayOf(to - 1))
    return { ...emptySpan, edges: [{ day: dayOf(from), from, to, sign: '+' }] };
  const first = from === undefined ? undefined : edgeAt(from, 'before');
  const end = to === undefined ? undefined : edgeAt(to, 'after');
  return {
    days: { from: first?.whole, to: end?.whole },
    edges: [...(first?.edges ?? []), ...(end?.edges ?? [])],
  };
}

/** The conditions of a range on a column. */
export const within = (
  { bound }: Pick<SqlDialect, 'bound'>,
  column: string,
  { from, to }: TimeRange,
): readonly Sql[] => [
  ...(from === undefined ? [] : [concat(sql(`${column} >= `), bound(from))]),
  ...(to === undefined ? [] : [concat(sql(`${column} < `), bound(to))]),
];

/** Sums and what came since. */
const sourcesOf = ({ byDuration = false }: Counting): readonly string[] => [
  byDuration ? durationCountTable.name : countTable.name,
  countChangeTable.name,
];

/** How a number of a window is found: conditions on `c` for what was counted, and the count of rows under these conditions. */
export interface Counting {
  /** True: the conditions ask for durations. */
  readonly byDuration?: boolean;
  readonly counted: readonly Sql[];
  readonly rows: (range: TimeRange) => Sql;
}

/** How many appointments start in the window, as a number. */
export function countOf(dialect: Pick<SqlDialect, 'bound'>, window: TimeRange, counting: Counting): Sql {
  const { counted, rows } = counting;
  const { days, edges } = daySpan(window);
  const sums = isEmpty(days)
    ? [sql('0')]
    : sourcesOf(counting).map((table) =>
        concat(
          sql(`(select coalesce(sum(c.amount), 0) from ${table} c where `),
          allOf([...counted, ...within(dialect, 'c.day', days)]),
          sql(')'),
        ),
      );
  return concat(joined(' + ', sums), ...edges.map((edge) => concat(sql(` ${edge.sign} `), rows(edge))));
}

/** How many start on each day of the windows, as `day` and `amount`; in several rows for a day. */
export function countsByDay(
  dialect: Pick<SqlDialect, 'bound' | 'given'>,
  windows: readonly TimeRange[],
  counting: Counting,
): Sql {
  const { counted, rows } = counting;
  const parts = windows
    .map(daySpan)
    .flatMap(({ days, edges }) => [
      ...sourcesOf(counting).map((table) =>
        concat(
          sql(`select c.day, c.amount from ${table} c where `),
          allOf([...counted, ...within(dialect, 'c.day', days)]),
        ),
      ),
      ...edges.map((edge) => concat(sql('select '), dialect.given(edge.day), sql(`, 0 ${edge.sign} `), rows(edge))),
    ]);
  return joined(' union all ', parts);
}
