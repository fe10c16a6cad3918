import type { Appointment } from '@calends/core';
import { type ActorRelation, actorsOf, blocksTime } from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { columnsOf, tableOf } from './table.js';

/** An actor of an appointment and how it relates to it. */
interface Actor {
  readonly appointment: Appointment;
  readonly id: string;
  readonly relations: number;
  readonly blocks: boolean;
}

const is = columnsOf<Actor>();

export const actorTable = tableOf<Actor>('calends_actors')(
  {
    organization_id: is.written('text', ({ appointment }) => appointment.organizationId),
    appointment_id: is.written('text', ({ appointment }) => appointment.id),
    actor_id: is.text('id'),
  },
  {
    relations: is.integer('relations'),
    application_id: is.written('text', ({ appointment }) => appointment.applicationId),
    start_at: is.written('integer', ({ appointment }) => appointment.schedule.start),
    end_at: is.written('integer', ({ appointment }) => appointment.schedule.end),
    state: is.written('text', ({ appointment }) => appointment.state),
    blocks: is.flag('blocks'),
  },
);

/** What each relation adds to `relations`. */
export const relationBits: Readonly<Record<ActorRelation, number>> = { ORGANIZER: 1, AGENT: 2, CUSTOMER: 4 };

/** The rows of an appointment's actors, one for each actor id. */
export function actorRows(appointment: Appointment): readonly (readonly SqlValue[])[] {
  const byId = new Map<string, number>();
  for (const { actorId, relation } of actorsOf(appointment)) {
    byId.set(actorId, (byId.get(actorId) ?? 0) | relationBits[relation]);
  }
  const blocks = blocksTime(appointment);
  return Array.from(byId, ([id, relations]) => actorTable.values({ appointment, id, relations, blocks }));
}
