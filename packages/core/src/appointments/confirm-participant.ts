import { confirmedCustomer } from '../customers/confirmation.js';
import { CalendsError } from '../errors.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { requireLive, revise } from './lifecycle.js';

/** Confirms a customer of a customer-create as they are (D62; D46: APParticipantUpdatedEvent). */
export function confirmParticipant(context: UseCaseContext): AppointmentOperations['confirmParticipant'] {
  return (caller, { id, participantId }, options) =>
    changeAppointment(context, {
      organizationId: caller.organizationId,
      id,
      caller,
      operation: 'confirmParticipant',
      options,
      decide: async ({ appointment, now }) => {
        const live = requireLive(appointment);
        const { organizationId } = live;
        const customer = live.participants.find((each) => each.id === participantId && each.type === 'CUSTOMER');
        if (customer === undefined) throw new CalendsError('not_found', 'There is no such customer.');
        if (customer.confirmed !== false) return undefined;
        const profile = await context.store.findCustomer(organizationId, id, participantId);
        const confirmed = confirmedCustomer(customer, context.customerIdentity(organizationId, profile ?? {}));
        const participants = live.participants.map((each) => (each === customer ? confirmed : each));
        return {
          next: revise(live, { participants }, now),
          event: { type: 'APParticipantUpdatedEvent', data: { participantId } },
        };
      },
    });
}
