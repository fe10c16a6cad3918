import type { Appointment } from '@calends/core';
import { type ActorIndexEntry, type ActorRelation, actorsOf, compareText, type Instant } from '@calends/core/store';

/** An appointment as it is kept; every version has a row of its own. */
export interface AppointmentRow {
  readonly appointment: Appointment;
  /** When the worker must look at it next, null = never; set only by {@link DueAppointments}. */
  wakeAt: Instant | null;
  readonly actors: readonly ActorIndexEntry[];
}

export function rowOf(appointment: Appointment): AppointmentRow {
  return { appointment, wakeAt: null, actors: actorsOf(appointment) };
}

export type Comparison = (a: AppointmentRow, b: AppointmentRow) => number;

/** By a number, then id: tells the rows of one organization apart. */
export const byNumber =
  (numberOf: (appointment: Appointment) => number): Comparison =>
  ({ appointment: a }, { appointment: b }) =>
    numberOf(a) - numberOf(b) || compareText(a.id, b.id);

export const byId = byNumber(() => 0);
export const byStart = byNumber(({ schedule }) => schedule.start);
export const byEnd = byNumber(({ schedule }) => schedule.end);

/** Key of the actor index. The relation has no blank in it, so that no two keys fall together. */
export function actorKey(relation: ActorRelation, actorId: string): string {
  return `${relation} ${actorId}`;
}
