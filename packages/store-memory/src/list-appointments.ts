import type { Appointment } from '@calends/core';
import {
  type ActorRelation,
  type AppointmentListQuery,
  type AppointmentSortField,
  type AppointmentVersion,
  compareText,
  type EligiblePage,
  type Listed,
} from '@calends/core/store';
import { type AppointmentRow, byEnd, byId, byNumber, byStart, type Comparison } from './appointment-row.js';
import type { OrganizationRows } from './organization-rows.js';

type Test = (row: AppointmentRow) => boolean;

const byText =
  (key: (appointment: Appointment) => string): Comparison =>
  (a, b) =>
    compareText(key(a.appointment), key(b.appointment));

const lengthOf = ({ schedule }: Appointment): number => schedule.end - schedule.start;

/** The order of each sort field; ties are by id (D31). */
const comparisons: Readonly<Record<AppointmentSortField, Comparison>> = {
  start: byStart,
  end: byEnd,
  duration: byNumber(lengthOf),
  title: byText(({ title }) => title),
  timezone: byText(({ schedule }) => schedule.timezone),
  applicationId: byText(({ applicationId }) => applicationId),
  id: byId,
};

/** The rows that the narrowest actor filter gives, in no order; `undefined` when there is none. */
function rowsOfActors(rows: OrganizationRows, query: AppointmentListQuery): readonly AppointmentRow[] | undefined {
  const { agentIds, organizerIds } = query;
  const narrowest: readonly (readonly [ActorRelation, string])[] | undefined =
    organizerIds?.map((id) => ['ORGANIZER', id] as const) ??
    agentIds?.flatMap((id) => (['ORGANIZER', 'AGENT'] as const).map((relation) => [relation, id] as const));
  if (narrowest === undefined) return undefined;
  return [...new Set(narrowest.flatMap(([relation, id]) => rows.ofActor(relation, id)?.items ?? []))];
}

/** The test of a filter that lists what it lets through; none when it is absent. */
function among<Value>(
  wanted: readonly Value[] | undefined,
  valueOf: (appointment: Appointment) => Value,
): readonly Test[] {
  if (wanted === undefined) return [];
  const set = new Set(wanted);
  return [({ appointment }) => set.has(valueOf(appointment))];
}

function testsOf({
  applicationIds,
  agentIds,
  organizerIds,
  durations,
  ranges,
  states,
}: AppointmentListQuery): readonly Test[] {
  const tests = [
    ...among(applicationIds, ({ applicationId }) => applicationId),
    ...among(durations, lengthOf),
    ...among(states, ({ state }) => state),
  ];
  if (agentIds !== undefined && organizerIds !== undefined) {
    const wanted = new Set(agentIds);
    tests.push(({ actors }) => actors.some(({ actorId, relation }) => relation !== 'CUSTOMER' && wanted.has(actorId)));
  }
  if (ranges !== undefined) {
    tests.push(({ appointment: { schedule } }) =>
      ranges.some(({ from = -Infinity, to = Infinity }) => from <= schedule.start && schedule.start < to),
    );
  }
  return tests;
}

/** A page of the rows that match, and how many match in all. */
export function listAppointments(rows: OrganizationRows, query: AppointmentListQuery): Listed<Appointment> {
  const tests = testsOf(query);
  const ofActors = rowsOfActors(rows, query);
  const found = ofActors ?? rows.inOrder;
  const matching = tests.length === 0 ? found : found.filter((row) => tests.every((test) => test(row)));
  const compare = comparisons[query.sortField];
  const isInOrder = ofActors === undefined && query.sortField === 'start';
  const ascending = isInOrder ? matching : matching.toSorted((a, b) => compare(a, b) || byId(a, b));
  const total = ascending.length;
  const skipped = (query.pageNumber - 1) * query.pageSize;
  const page =
    query.sortOrder === 'asc'
      ? ascending.slice(skipped, skipped + query.pageSize)
      : ascending.slice(Math.max(0, total - skipped - query.pageSize), Math.max(0, total - skipped)).reverse();
  return { items: page.map(({ appointment }) => appointment), total };
}

/** The same page, as what tells whether it has changed. */
export function listVersions(rows: OrganizationRows, query: AppointmentListQuery): readonly AppointmentVersion[] {
  const { items } = listAppointments(rows, query);
  return items.map(({ id, version, updatedAt, schedule }) => ({ id, version, updatedAt, start: schedule.start }));
}

/** The next rows that can be activated, by id (D69). */
export function listEligible(
  { scheduled }: OrganizationRows,
  { applicationIds, after, limit }: EligiblePage,
): readonly Appointment[] {
  const wanted = applicationIds === undefined ? undefined : new Set(applicationIds);
  const found: Appointment[] = [];
  for (const { appointment } of scheduled.after(({ appointment: { id } }) =>
    after === undefined ? false : compareText(id, after) <= 0,
  )) {
    if (found.length >= limit) break;
    if (wanted?.has(appointment.applicationId) ?? true) found.push(appointment);
  }
  return found;
}
