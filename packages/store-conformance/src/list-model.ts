import type { Appointment, AppointmentList, AppointmentListQuery, AppointmentSortField } from '@calends/core';

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
  const key = keys[query.sortField];
  const direction = query.sortOrder === 'asc' ? 1 : -1;
  const matching = appointments
    .filter((appointment) => matches(appointment, query))
    .sort((a, b) => direction * (compare(key(a), key(b)) || compare(a.id, b.id)));
  const skipped = (query.pageNumber - 1) * query.pageSize;
  return { items: matching.slice(skipped, skipped + query.pageSize), total: matching.length };
}
