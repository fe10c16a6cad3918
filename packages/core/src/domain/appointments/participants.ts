import { createHash } from 'node:crypto';
import { remembered } from '@calends/model';
import type { ContactChannel } from '../../settings/channels.js';
import { type Appointment, isLive, type Participant } from './appointment.js';

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

/** The appointment without what recognises its customers in others: as it is kept where an erasure does not look. */
export function withoutIdentities<Kind extends Appointment>(appointment: Kind): Kind {
  const participants = appointment.participants.map(({ identity: _, ...participant }) => participant);
  return { ...appointment, participants };
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

/** Tells whether messages may go to a customer over a channel (D62). */
export function isToldOver({ confirmed, toldOver }: Participant, channel: ContactChannel): boolean {
  return confirmed !== false || toldOver?.includes(channel) === true;
}

/** A customer for whom staff vouches: every address is written to, and `identity` recognises them (D62, D64). */
export function confirmedCustomer({ id, type }: Participant, identity: string): Participant {
  return { id, type, identity };
}

/** How an actor is related to an appointment. */
export const actorRelations = ['ORGANIZER', 'AGENT', 'CUSTOMER', 'SERVICE', 'RESOURCE'] as const;

/** One of {@link actorRelations}. A service counts what is booked with it, and takes nobody's time. */
export type ActorRelation = (typeof actorRelations)[number];

/** One entry of the actor index that stores keep beside an appointment. */
export interface ActorIndexEntry {
  readonly actorId: string;
  readonly relation: ActorRelation;
}

/** The id under which a service of an application stands in the actor index, for limits; no longer than that of any actor. */
export const serviceActorId = (applicationId: string, serviceId: string): string =>
  serviceActorIdOf(JSON.stringify([applicationId, serviceId]));

/** Every question about free times asks for one. */
const serviceActorIdOf = remembered(
  1000,
  (names: string) => `service ${createHash('sha256').update(names).digest('base64url')}`,
);

/** Tells the id of a service from those of agents, which have no blanks. */
export const isServiceActorId = (actorId: string): boolean => actorId.startsWith('service ');

/**
 * The actors under which a store must find an appointment: organizer, AGENT participants, customers by their `identity`,
 * resources, and the service that it was booked with. An organizer who is also assigned has two entries.
 */
export function actorsOf(appointment: Appointment): readonly ActorIndexEntry[] {
  const entries: ActorIndexEntry[] = [{ actorId: appointment.organizer.id, relation: 'ORGANIZER' }];
  for (const participant of appointment.participants) {
    if (participant.type === 'AGENT') {
      entries.push({ actorId: participant.id, relation: 'AGENT' });
    } else if (participant.identity !== undefined) {
      entries.push({ actorId: participant.identity, relation: 'CUSTOMER' });
    }
  }
  const { service, applicationId } = appointment;
  if (service !== undefined) {
    for (const actorId of service.resources) entries.push({ actorId, relation: 'RESOURCE' });
    entries.push({ actorId: serviceActorId(applicationId, service.id), relation: 'SERVICE' });
  }
  const seen = new Set<string>();
  return entries.filter(({ actorId, relation }) => {
    const key = `${relation} ${actorId}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Tells whether an appointment takes its actors' time (D26): it is live ({@link isLive}) and its interaction is neither
 * COMPLETED nor NO_SHOW. The overlap guard asks this; counts of windows ask `isLive` only.
 */
export function blocksTime(appointment: Appointment): boolean {
  const { state } = appointment.interaction;
  return isLive(appointment) && state !== 'COMPLETED' && state !== 'NO_SHOW';
}
