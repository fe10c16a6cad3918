import type { Appointment } from '@calends/core';
import { isLive } from '@calends/core/store';
import type { FormProblem } from './problems.js';

/** Whether anything can still be changed; what the application forbids is told when it is tried. */
export function isChangeable(appointment: Appointment): boolean {
  const { state } = appointment.interaction;
  return isLive(appointment) && (state === 'PENDING' || state === 'INITIATED');
}

/**
 * Whether its time has passed while nobody has closed it. The library would still move and cancel it; the pages do not offer that.
 * What runs longer than it should is not over.
 */
export function isPast(appointment: Appointment, now: number): boolean {
  return isChangeable(appointment) && appointment.schedule.end <= now;
}

/** Why an appointment was not moved: for the library one code, for the customer the time or the appointment itself. */
export function unmovedBecause(appointment: Appointment): FormProblem {
  if (isChangeable(appointment)) return { status: 400, text: 'notPossibleThen' };
  return { status: 409, text: appointment.interaction.state === 'IN_PROGRESS' ? 'underWay' : 'notPossibleNow' };
}
