import { readCustomer } from '../customers/customer-input.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment, type Decision, type Situation } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { overlapGuard } from '../use-case/overlap.js';
import { requireAgent } from './agent-check.js';
import type { Participant } from './appointment.js';
import type { AddParticipantCommand } from './commands.js';
import { requireLive, revise } from './lifecycle.js';
import { assignedAgents } from './participants.js';

/** Adds an agent or a customer to a live appointment (D46: APParticipantAddedEvent). */
export function addParticipant(context: UseCaseContext): AppointmentOperations['addParticipant'] {
  return (caller, command, options) =>
    changeAppointment(context, {
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'addParticipant',
      options,
      decide: (situation) =>
        'agentId' in command
          ? addAgent(context, situation, command.agentId)
          : addCustomer(context, situation, command.customer),
    });
}

async function addAgent(context: UseCaseContext, situation: Situation, agentId: string): Promise<Decision | undefined> {
  const { organizationId, applicationId } = situation.appointment;
  const query = { organizationId, applicationId, agentId };
  await requireAgent(context, query, '/agentId', 'not_found');
  if (assignedAgents(situation.appointment).includes(agentId)) return undefined;
  return added(situation, { id: agentId, type: 'AGENT' });
}

function addCustomer(
  context: UseCaseContext,
  situation: Situation,
  customer: Extract<AddParticipantCommand, { customer: unknown }>['customer'],
): Decision {
  const issues = new InputIssues();
  const details = readCustomer('/customer', customer, issues);
  issues.throwIfAny();
  const { organizationId, id: appointmentId } = situation.appointment;
  const participant: Participant = {
    id: context.ids.next(),
    type: 'CUSTOMER',
    identity: context.customerIdentity(organizationId, details),
  };
  return {
    ...added(situation, participant),
    customers: [{ ...details, organizationId, appointmentId, participantId: participant.id }],
  };
}

function added({ appointment, settings, now }: Situation, participant: Participant): Decision {
  const live = requireLive(appointment);
  if (live.participants.length >= limits.participants) {
    throw new CalendsError('invalid_state', 'The appointment has no room for more participants.');
  }
  const next = revise(live, { participants: [...live.participants, participant] }, now);
  return {
    next,
    event: { type: 'APParticipantAddedEvent', data: { participantId: participant.id } },
    guard: overlapGuard(next, settings),
  };
}

/** Removes a participant; an unknown one is `not_found`, the last customer stays. */
export function removeParticipant(context: UseCaseContext): AppointmentOperations['removeParticipant'] {
  return (caller, { id, participantId }, options) =>
    changeAppointment(context, {
      organizationId: caller.organizationId,
      id,
      caller,
      operation: 'removeParticipant',
      options,
      decide: ({ appointment, now }) => {
        const live = requireLive(appointment);
        const leaving = live.participants.find((each) => each.id === participantId);
        if (leaving === undefined) {
          throw new CalendsError('not_found', 'There is no such participant.');
        }
        const participants = live.participants.filter((each) => each !== leaving);
        if (!participants.some(({ type }) => type === 'CUSTOMER')) {
          throw new CalendsError('invalid_state', 'The last customer cannot be removed.');
        }
        const target = live.targetAssignment;
        const targetAssignment = target?.id === participantId ? undefined : target;
        return {
          next: revise(live, { participants, targetAssignment }, now),
          event: { type: 'APParticipantRemovedEvent', data: { participantId } },
          removedCustomers: leaving.type === 'CUSTOMER' ? [participantId] : [],
        };
      },
    });
}
