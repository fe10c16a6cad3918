import type { Appointment } from '@calends/core';
import {
  actorRelations,
  blocksTime,
  type BusyEntry,
  type BusyQuery,
  compareText,
  type Hold,
  type Instant,
  isLive,
  maxDuration,
  serviceActorId,
} from '@calends/core/store';
import type { AppointmentRow } from './appointment-row.js';
import { heldActors } from './holds.js';
import type { Tables } from './tables.js';

/** How far before and after its appointment a busy span may begin and end: buffers are no longer than appointments. */
const reach = maxDuration;

function ofAppointment({ appointment, actors }: AppointmentRow, actorId: string): BusyEntry {
  const { id, schedule, service } = appointment;
  const { start, end } = schedule;
  const { before, after } = service?.buffers ?? { before: 0, after: 0 };
  const takesTime = actors.some((each) => each.actorId === actorId && each.relation !== 'SERVICE');
  return {
    actorId,
    start,
    end,
    busy: { from: start - before, to: end + after },
    blocks: takesTime && blocksTime(appointment),
    appointmentId: id,
    // As the index has it: making it again costs more than all the rest.
    serviceActorId: actors.find(({ relation }) => relation === 'SERVICE')?.actorId,
  };
}

function ofHold(hold: Hold, actorId: string): BusyEntry {
  const { id, applicationId, serviceId, start, end, busy } = hold;
  return {
    actorId,
    start,
    end,
    busy,
    blocks: heldActors(hold).includes(actorId),
    holdId: id,
    serviceActorId: serviceActorId(applicationId, serviceId),
  };
}

const byPlace = (a: BusyEntry, b: BusyEntry): number =>
  compareText(a.actorId, b.actorId) ||
  a.start - b.start ||
  compareText(a.appointmentId ?? a.holdId ?? '', b.appointmentId ?? b.holdId ?? '');

/** What actors have in the window or beginning in it: live appointments, and holds that are alive then. */
export function busyEntries(
  { appointments, holds }: Pick<Tables, 'appointments' | 'holds'>,
  { organizationId, actorIds, window: { from, to }, exceptAppointmentId, now = Date.now() }: BusyQuery,
): readonly BusyEntry[] {
  const rows = appointments.of(organizationId);
  const isOver = (start: Instant): boolean => start <= from - maxDuration - reach;
  const isNear = (start: Instant): boolean => start < to + reach;
  const counts = (appointment: Appointment): boolean => appointment.id !== exceptAppointmentId && isLive(appointment);
  const entries = [...new Set(actorIds)].flatMap((actorId) => {
    const ofActor = actorRelations.flatMap(
      (relation) =>
        rows.ofActor(relation, actorId)?.between(
          ({ appointment }) => isOver(appointment.schedule.start),
          ({ appointment }) => isNear(appointment.schedule.start),
        ) ?? [],
    );
    const held = holds.ofActor(organizationId, actorId)?.items ?? [];
    return [
      ...[...new Set(ofActor)]
        .filter(({ appointment }) => counts(appointment))
        .map((row) => ofAppointment(row, actorId)),
      ...held.filter(({ until }) => until > now).map((hold) => ofHold(hold, actorId)),
    ];
  });
  return entries.filter(({ busy }) => busy.from < to && busy.to > from).sort(byPlace);
}
