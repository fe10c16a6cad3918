import { limits } from '@calends/model';
import type { Participant } from '../../domain/appointments/appointment.js';
import { requireLive, revise } from '../../domain/appointments/lifecycle.js';
import { assignedAgents, confirmedCustomer } from '../../domain/appointments/participants.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import type { Decide, Situation } from '../change-appointment.js';
import type { UseCaseContext } from '../context.js';
import { readCustomer } from './booked-customers.js';
import { overlapGuard } from '../overlap.js';
import type { Decision } from '../unit-of-work.js';
import { requireAgent } from '../../ports/agent-directory.js';
import type { AddParticipantCommand, ConfirmParticipantCommand, RemoveParticipantCommand } from './commands.js';

/** Adds an agent or a customer to a live appointment (D46: APParticipantAddedEvent). */
export function adding(command: AddParticipantCommand, _caller: Caller, context: UseCaseContext): Decide {
  return (situation) =>
    'agentId' in command
      ? addAgent(context, situation, command.agentId)
      : addCustomer(context, situation, command.customer);
}

async function addAgent(context: UseCaseContext, situation: Situation, agentId: string): Promise<Decision | undefined> {
  const { organizationId, applicationId } = situation.appointment;
  const query = { organizationId, applicationId, agentId };
  await requireAgent(context.agentDirectory, query, '/agentId', 'not_found');
  if (assignedAgents(situation.appointment).includes(agentId)) return undefined;
  return added(context, situation, { id: agentId, type: 'AGENT' });
}

function addCustomer(
  context: UseCaseContext,
  situation: Situation,
  customer: Extract<AddParticipantCommand, { customer: unknown }>['customer'],
): Decision {
  const details = readInput((issues) => readCustomer('/customer', customer, issues));
  const { organizationId, id: appointmentId } = situation.appointment;
  const participant: Participant = {
    id: context.ids.next(),
    type: 'CUSTOMER',
    identity: context.customerIdentity(organizationId, details),
  };
  return {
    ...added(context, situation, participant),
    customers: [{ ...details, organizationId, appointmentId, participantId: participant.id }],
  };
}

function added(context: UseCaseContext, { appointment, settings, now }: Situation, participant: Participant): Decision {
  const live = requireLive(appointment);
  if (live.participants.length >= limits.participants) {
    throw new CalendsError('invalid_state', 'The appointment has no room for more participants.');
  }
  const next = revise(live, { participants: [...live.participants, participant] }, now);
  return {
    next,
    event: { type: 'APParticipantAddedEvent', data: { participantId: participant.id } },
    guard: overlapGuard(context, next, settings),
  };
}

/** Removes a participant; an unknown one is `not_found`, the last customer stays. */
export function removing({ participantId }: RemoveParticipantCommand): Decide {
  return ({ appointment, now }) => {
    const live = requireLive(appointment);
    const leaving = live.participants.find(({ id }) => id === participantId);
    if (leaving === undefined) throw new CalendsError('not_found', 'There is no such participant.');
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
  };
}

/** Confirms a customer of a customer-create as they are (D62; D46: APParticipantUpdatedEvent). */
export function confirming(command: ConfirmParticipantCommand, _caller: Caller, context: UseCaseContext): Decide {
  const { id, participantId } = command;
  return async ({ appointment, now }) => {
    const live = requireLive(appointment);
    const { organizationId } = live;
    const customer = live.participants.find((each) => each.id === participantId && each.type === 'CUSTOMER');
    if (customer === undefined) throw new CalendsError('not_found', 'There is no such customer.');
    if (customer.confirmed !== false) return undefined;
    const profile = await context.store.customers.find(organizationId, id, participantId);
    const confirmed = confirmedCustomer(customer, context.customerIdentity(organizationId, profile ?? {}));
    const participants = live.participants.map((each) => (each === customer ? confirmed : each));
    return {
      next: revise(live, { participants }, now),
      event: { type: 'APParticipantUpdatedEvent', data: { participantId } },
    };
  };
}
