import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { revise } from './lifecycle.js';

/** Removes an appointment for good, from any state: the v1 DELETE (spec: States; D25, D46). */
export function removeAppointment(context: UseCaseContext): AppointmentOperations['remove'] {
  return async (caller, id, options) => {
    await changeAppointment(context, {
      organizationId: caller.organizationId,
      id,
      caller,
      operation: 'remove',
      policy: 'delete',
      options,
      decide: ({ appointment, now }) => ({
        next: revise(appointment, {}, now),
        event: { type: 'APDeletedEvent', data: { removed: true } },
        remove: true,
      }),
    });
  };
}
