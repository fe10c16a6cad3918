import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { once } from '../use-case/once.js';
import { revise } from './lifecycle.js';

/** Removes an appointment for good, from any state: the v1 DELETE (spec: States; D25, D46). */
export function removeAppointment(context: UseCaseContext): AppointmentOperations['remove'] {
  return async (caller, id, options) => {
    const { organizationId, id: callerId } = caller;
    const request = { organizationId, callerId, command: { id }, idempotency: options?.idempotency };
    // The answer that is kept holds nothing of the record.
    await once<null>(context, request, async (complete) => {
      await changeAppointment(context, {
        organizationId,
        id,
        caller,
        operation: 'remove',
        options,
        complete: () => complete(null),
        decide: ({ appointment, now }) => ({
          next: revise(appointment, {}, now),
          event: { type: 'APDeletedEvent', data: { removed: true } },
          remove: true,
        }),
      });
      return null;
    });
  };
}
