import { type Appointment, isLive } from './appointment.js';

/** How an actor is related to an appointment. */
export type ActorRelation = 'ORGANIZER' | 'AGENT' | 'CUSTOMER';

/** One entry of the actor index that stores keep beside an appointment. */
export interface ActorIndexEntry {
  readonly actorId: string;
  readonly relation: ActorRelation;
}

/**
 * The actors under which a store must find an appointment: organizer, AGENT participants, and customers by
 * their `identity`. An organizer who is also assigned has two entries.
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
  const seen = new Set<string>();
  return entries.filter(({ actorId, relation }) => {
    const key = `${relation} ${actorId}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Tells whether an appointment takes its actors' time (D26): it is live ({@link isLive}) and its interaction is neither
 * COMPLETED nor NO_SHOW. The overlap guard asks this; counts of windows ask `isLive` alone.
 */
export function blocksTime(appointment: Appointment): boolean {
  const { state } = appointment.interaction;
  return isLive(appointment) && state !== 'COMPLETED' && state !== 'NO_SHOW';
}
