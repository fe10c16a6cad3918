import { type ActorRelation, type Appointment, actorsOf, blocksTime } from '@calends/core';
import type { SqlValue } from '../database/sql.js';
import type { Fields } from './fields.js';

/** What is written of an actor of an appointment. */
export const actorFields = {
  organization_id: 'text',
  appointment_id: 'text',
  actor_id: 'text',
  relations: 'integer',
  application_id: 'text',
  start_at: 'integer',
  end_at: 'integer',
  state: 'text',
  blocks: 'integer',
} as const satisfies Fields;

/** Columns by which a row of an actor is known. */
export const actorKey = ['organization_id', 'appointment_id', 'actor_id'] as const;

/** What each relation adds to `relations`. */
export const relationBits: Readonly<Record<ActorRelation, number>> = { ORGANIZER: 1, AGENT: 2, CUSTOMER: 4 };

/** The rows of an appointment's actors, one for each actor id. */
export function actorRows(appointment: Appointment): readonly (readonly SqlValue[])[] {
  const relations = new Map<string, number>();
  for (const { actorId, relation } of actorsOf(appointment)) {
    relations.set(actorId, (relations.get(actorId) ?? 0) | relationBits[relation]);
  }
  const { organizationId, id, applicationId, schedule, state } = appointment;
  const blocks = blocksTime(appointment) ? 1 : 0;
  return Array.from(relations, ([actorId, bits]) => [
    organizationId,
    id,
    actorId,
    bits,
    applicationId,
    schedule.start,
    schedule.end,
    state,
    blocks,
  ]);
}
