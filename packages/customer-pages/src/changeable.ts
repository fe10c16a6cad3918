import type { Appointment } from '@calends/core';
import { isLive } from '@calends/core/store';
import type { FormProblem } from './problems.js';

/** Whether anything can still be changed; what the application forbids is told when it is tried. */
export function isChangeable(appointment: Appointment): boolean {
  const { state } = appointment.interaction;
  return isLive(appointment) && (state === 'PENDING' || state === 'INITIATED');
}

/** Why an appointment was not moved: for the library one code, for the customer the time or the appointment itself. */
export function unmovedBecause(appointment: Appointment): FormProblem {
  if (isChangeable(appointment)) return { status: 400, text: 'notPossibleThen' };
  return { status: 409, text: appointment.interaction.state === 'IN_PROGRESS' ? 'underWay' : 'notPossibleNow' };
}
