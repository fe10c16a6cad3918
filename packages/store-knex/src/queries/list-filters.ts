import type { AppointmentListQuery, TimeRange } from '@calends/core/store';
import { bound, concat, type Sql, sql } from '../sql/sql.js';
import { within } from './counted.js';
import { relationBits } from '../tables/people.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** Columns that filters ask for, by the table that a list is made from. */
export interface ListSource {
  readonly table: 'calends_appointments x' | 'calends_actors x';
  readonly id: 'x.id' | 'x.appointment_id';
}

/** How long an appointment takes, as an index tells it. */
export const durationOf = (alias: string): string => `(${alias}.end_at - ${alias}.start_at)`;

const isBounded = ({ from, to }: TimeRange): boolean => from !== undefined || to !== undefined;
const earliest = Number.MIN_SAFE_INTEGER;
const latest = Number.MAX_SAFE_INTEGER;

/** The start lies in one of the ranges (D32); the outermost bounds stand alone, for the index. */
function inRanges(dialect: SqlDialect, query: AppointmentListQuery, start: string): readonly Sql[] {
  const { ranges = [{}] } = query;
  if (!ranges.every(isBounded)) return [];
  const closed = ranges.map(({ from = earliest, to = latest }) => ({ from, to }));
  const from = Math.min(...closed.map((range) => range.from));
  const to = Math.max(...closed.map((range) => range.to));
  return [
    ...within(isInOrder(query) ? dialect : { bound }, start, {
      from: from === earliest ? undefined : from,
      to: to === latest ? undefined : to,
    }),
    ...(closed.length === 1 ? [] : [dialect.inAnyRange(start, closed)]),
  ];
}

const organizes = relationBits.ORGANIZER;
const organizesOrAttends = relationBits.ORGANIZER | relationBits.AGENT;

/** Tells whether a filter has no alternative left, so that nothing can match. */
export function matchesNothing(query: AppointmentListQuery): boolean {
  const { applicationIds, agentIds, organizerIds, durations, ranges, states } = query;
  return [applicationIds, agentIds, organizerIds, durations, ranges, states].some((values) => values?.length === 0);
}

/** The table that a list is read from: the index of actors as soon as actors are asked for. */
export function listSource({ agentIds, organizerIds }: AppointmentListQuery): ListSource {
  return agentIds === undefined && organizerIds === undefined
    ? { table: 'calends_appointments x', id: 'x.id' }
    : { table: 'calends_actors x', id: 'x.appointment_id' };
}

/** Tells whether the index of actors may have an appointment more than once. */
export const mayRepeat = ({ agentIds, organizerIds }: AppointmentListQuery): boolean =>
  (agentIds ?? organizerIds ?? []).length > 1;

/** Whether an index has the rows in the order of the list: then one plan is good for ranges of any length, and no more than the first rows are read. */
export function isInOrder(query: AppointmentListQuery): boolean {
  const { applicationIds, sortField } = query;
  const isOfActor = listSource(query).table === 'calends_actors x';
  return sortField === 'start' && (isOfActor ? !mayRepeat(query) : (applicationIds?.length ?? 1) === 1);
}

function ofActors(dialect: SqlDialect, { agentIds, organizerIds }: AppointmentListQuery): readonly Sql[] {
  const related = (alias: string, ids: readonly string[], bits: number): Sql =>
    concat(dialect.anyOf(`${alias}.actor_id`, ids), sql(` and (${alias}.relations & ${bits}) <> 0`));
  if (agentIds === undefined) return organizerIds === undefined ? [] : [related('x', organizerIds, organizes)];
  const agents = related('x', agentIds, organizesOrAttends);
  if (organizerIds === undefined) return [agents];
  return [
    agents,
    concat(
      sql(`exists (select 1 from calends_actors o
        where o.organization_id = x.organization_id and o.appointment_id = x.appointment_id and `),
      related('o', organizerIds, organizes),
      sql(')'),
    ),
  ];
}

/** The conditions of a list within an organization, the ones that an index starts with first; `start` is what ranges are compared with. */
export function listConditions(dialect: SqlDialect, query: AppointmentListQuery, start = 'x.start_at'): readonly Sql[] {
  const { applicationIds, durations, states } = query;
  return [
    ...ofActors(dialect, query),
    ...(applicationIds === undefined ? [] : [dialect.anyOf('x.application_id', applicationIds)]),
    ...inRanges(dialect, query, start),
    ...(durations === undefined ? [] : [dialect.anyOf(durationOf('x'), durations)]),
    ...(states === undefined ? [] : [dialect.anyOf('x.state', states)]),
  ];
}
