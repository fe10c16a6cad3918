import { CalendsError } from '../errors.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeOnce, type Decision, type Situation } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { openRoom } from '../use-case/room.js';
import { abort, activate, requireLive } from './lifecycle.js';

/** Opens an appointment for joining on demand (spec: Endpoints, rule 4; D18). */
export function activateAppointment(context: UseCaseContext): AppointmentOperations['activate'] {
  return async (caller, id, options) => {
    const { organizationId } = caller;
    const appointment = await changeOnce(context, {
      command: { id },
      organizationId,
      id,
      caller,
      operation: 'activate',
      options,
      decide: (situation) => activation(context, situation, true),
    });
    if (appointment.state === 'ABORTED') {
      throw new CalendsError('invalid_state', 'The room was refused; the appointment is aborted.');
    }
    return appointment;
  };
}

/** Activates with a room, or aborts when the access provider refuses one for good (D15). */
export async function activation(
  context: UseCaseContext,
  { appointment, settings, now }: Situation,
  explicit: boolean,
): Promise<Decision | undefined> {
  if (requireLive(appointment).state === 'ACTIVATED') return undefined;
  const opening = await openRoom(context, appointment, settings);
  return opening.status === 'opened'
    ? activate(appointment, { grant: opening.grant, at: now, explicit })
    : abort(appointment, { at: now, reason: opening.reason });
}
