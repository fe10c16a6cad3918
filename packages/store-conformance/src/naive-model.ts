import {
  actorsOf,
  type Appointment,
  type AppointmentList,
  type AppointmentListQuery,
  type AppointmentSortField,
  blocksTime,
  isLive,
  type OverlapGuard,
  type WindowCountQuery,
} from '@calends/core';

const keys: Readonly<Record<AppointmentSortField, (appointment: Appointment) => string | number>> = {
  start: ({ schedule }) => schedule.start,
  end: ({ schedule }) => schedule.end,
  duration: ({ schedule }) => schedule.end - schedule.start,
  title: ({ title }) => title,
  timezone: ({ schedule }) => schedule.timezone,
  applicationId: ({ applicationId }) => applicationId,
  id: ({ id }) => id,
};

/** Compares by code point: the bytes of UTF-8 have its order. */
function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const inOrderOf = (field: AppointmentSortField) => (a: Appointment, b: Appointment) =>
  compare(keys[field](a), keys[field](b)) || compare(a.id, b.id);

const allows = <Value>(filter: readonly Value[] | undefined, holds: (value: Value) => boolean): boolean =>
  filter === undefined || filter.some(holds);

function matches(appointment: Appointment, query: AppointmentListQuery): boolean {
  const { schedule, organizer, participants } = appointment;
  return (
    appointment.organizationId === query.organizationId &&
    allows(query.applicationIds, (id) => id === appointment.applicationId) &&
    allows(
      query.agentIds,
      (id) => id === organizer.id || participants.some((one) => one.type === 'AGENT' && one.id === id),
    ) &&
    allows(query.organizerIds, (id) => id === organizer.id) &&
    allows(query.durations, (duration) => duration === schedule.end - schedule.start) &&
    allows(query.states, (state) => state === appointment.state) &&
    allows(query.ranges, ({ from, to }) => schedule.start >= (from ?? -Infinity) && schedule.start < (to ?? Infinity))
  );
}

/** What a store must answer to a list query: the definition, without any index. */
export function listByModel(appointments: readonly Appointment[], query: AppointmentListQuery): AppointmentList {
  const direction = query.sortOrder === 'asc' ? 1 : -1;
  const order = inOrderOf(query.sortField);
  const matching = appointments
    .filter((appointment) => matches(appointment, query))
    .sort((a, b) => direction * order(a, b));
  const skipped = (query.pageNumber - 1) * query.pageSize;
  return { items: matching.slice(skipped, skipped + query.pageSize), total: matching.length };
}

const countable = (appointments: readonly Appointment[], { organizationId, applicationId }: WindowCountQuery) =>
  appointments.filter(
    (appointment) =>
      appointment.organizationId === organizationId &&
      appointment.applicationId === applicationId &&
      isLive(appointment),
  );

/** What a store must count as starting in each window (D27). */
export function startingByModel(appointments: readonly Appointment[], query: WindowCountQuery): readonly number[] {
  const live = countable(appointments, query);
  return query.windows.map(
    ({ from, to }) => live.filter(({ schedule }) => from <= schedule.start && schedule.start < to).length,
  );
}

/** What a store must count as intersecting each window (D29). */
export function overlappingByModel(appointments: readonly Appointment[], query: WindowCountQuery): readonly number[] {
  const live = countable(appointments, query);
  return query.windows.map(
    ({ from, to }) => live.filter(({ schedule }) => schedule.start < to && schedule.end > from).length,
  );
}

/** Which appointments of one organization a store must find in the way of a change of `ownId` (D26). */
export function conflictsByModel(
  appointments: readonly Appointment[],
  { actorIds, window }: OverlapGuard,
  ownId: string,
): readonly string[] {
  return appointments
    .filter(({ id, schedule }) => id !== ownId && schedule.start < window.to && schedule.end > window.from)
    .filter((appointment) => blocksTime(appointment))
    .filter((appointment) => actorsOf(appointment).some(({ actorId }) => actorIds.includes(actorId)))
    .sort(inOrderOf('start'))
    .map(({ id }) => id);
}
