import type { Appointment } from '@calends/core';
import type { FormProblem } from './problems.js';

/** Whether anything can still be changed; what the application forbids is told when it is tried. */
export function isChangeable({ state, interaction }: Appointment): boolean {
  const live = state === 'SCHEDULED' || state === 'ACTIVATED';
  return live && (interaction.state === 'PENDING' || interaction.state === 'INITIATED');
}

/** Why an appointment was not moved: for the library one code, for the customer the time or the appointment itself. */
export function unmovedBecause(appointment: Appointment): FormProblem {
  if (isChangeable(appointment)) return { status: 400, text: 'notPossibleThen' };
  return { status: 409, text: appointment.interaction.state === 'IN_PROGRESS' ? 'underWay' : 'notPossibleNow' };
}
