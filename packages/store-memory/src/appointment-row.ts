import type { Appointment } from '@calends/core';
import { type ActorIndexEntry, type ActorRelation, actorsOf, type Instant } from '@calends/core/store';
import { compareText } from './code-point-order.js';

/** An appointment as it is kept; every version has a row of its own. */
export interface AppointmentRow {
  readonly appointment: Appointment;
  /** When the worker must look at it next, null = never; set by {@link DueAppointments} alone. */
  wakeAt: Instant | null;
  readonly actors: readonly ActorIndexEntry[];
}

export function rowOf(appointment: Appointment): AppointmentRow {
  return { appointment, wakeAt: null, actors: actorsOf(appointment) };
}

/** By id; tells the rows of one organization apart. */
export function byId({ appointment: a }: AppointmentRow, { appointment: b }: AppointmentRow): number {
  return compareText(a.id, b.id);
}

/** By start, then id; tells the rows of one organization apart. */
export function byStart({ appointment: a }: AppointmentRow, { appointment: b }: AppointmentRow): number {
  return a.schedule.start - b.schedule.start || compareText(a.id, b.id);
}

/** By end, then id; tells the rows of one organization apart. */
export function byEnd({ appointment: a }: AppointmentRow, { appointment: b }: AppointmentRow): number {
  return a.schedule.end - b.schedule.end || compareText(a.id, b.id);
}

/** Key of the actor index. The relation has no blank in it, so that no two keys fall together. */
export function actorKey(relation: ActorRelation, actorId: string): string {
  return `${relation} ${actorId}`;
}
