import type { Appointment, Participant } from './appointment.js';

/** Ids of the agents that an appointment is assigned to. */
export function assignedAgents(appointment: Appointment): readonly string[] {
  const agents = appointment.participants.filter(({ type }) => type === 'AGENT');
  return agents.map(({ id }) => id);
}

/** Tells whether an agent organizes the appointment or is assigned to it (D23). */
export function isOwnedBy(appointment: Appointment, agentId: string): boolean {
  return appointment.organizer.id === agentId || assignedAgents(appointment).includes(agentId);
}

/**
 * Tells whether an agent is the one whom the running interaction concerns (D23): in `acceptedBy`, assigned, or
 * the organizer of an appointment without an assigned agent.
 */
export function isInvolved(appointment: Appointment, agentId: string): boolean {
  const assigned = assignedAgents(appointment);
  return (
    assigned.includes(agentId) ||
    appointment.interaction.acceptedBy.some(({ id }) => id === agentId) ||
    (assigned.length === 0 && appointment.organizer.id === agentId)
  );
}

/** Ids under which the overlap guard finds the actors whose time an appointment takes (D26). */
export function guardedActors(appointment: Appointment, mode: 'agent' | 'customer' | 'both'): readonly string[] {
  const agents = assignedAgents(appointment);
  const { organizer } = appointment;
  const working = agents.length > 0 || organizer.type !== 'AGENT' ? agents : [organizer.id];
  const customers = appointment.participants.flatMap(({ identity }) => identity ?? []);
  return [...new Set([...(mode === 'customer' ? [] : working), ...(mode === 'agent' ? [] : customers)])];
}

/** The appointment as one of its customers may see it: other customers are left out (D42). */
export function asSeenBy(appointment: Appointment, participantId: string): Appointment {
  const visible = (participant: Participant): boolean =>
    participant.type !== 'CUSTOMER' || participant.id === participantId;
  return { ...appointment, participants: appointment.participants.filter(visible) };
}

/**
 * Tells whether there is a customer whose profile has not been emptied, as far as the appointment says it: removal leaves a
 * participant without an identity and without a word on confirmation (D64).
 */
export function holdsPersonalData({ participants }: Pick<Appointment, 'participants'>): boolean {
  return participants.some(
    ({ type, identity, confirmed }) => type === 'CUSTOMER' && (identity !== undefined || confirmed === false),
  );
}
