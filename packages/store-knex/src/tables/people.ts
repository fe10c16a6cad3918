import type { Appointment } from '@calends/core';
import {
  type ActorRelation,
  actorsOf,
  blocksTime,
  type CustomerProfile,
  type Instant,
  type RemovalReason,
  serviceActorId,
} from '@calends/core/store';
import { dayLength } from './counts.js';
import type { SqlValue } from '../sql/sql.js';
import { columnsOf, readerOf, tableOf } from './table.js';
import { integer, optionalText } from '../sql/rows.js';

/** What an appointment with a service says of each of its actors beyond the others. */
interface Booked {
  readonly busyFrom: Instant;
  readonly busyTo: Instant;
  readonly serviceActor: string;
}

/** An actor of an appointment and how it relates to it. */
interface Actor {
  readonly appointment: Appointment;
  readonly id: string;
  readonly relations: number;
  readonly blocks: boolean;
  /** Absent = booked without a service: busy from start to end. */
  readonly booked: Booked | undefined;
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
    busy_from: is.written('integer', ({ booked }) => booked?.busyFrom),
    busy_to: is.written('integer', ({ booked }) => booked?.busyTo),
    service_actor: is.written('text', ({ booked }) => booked?.serviceActor),
  },
);

/**
 * An actor is taken for more than a day, with the buffers. Migrations index these rows by this condition, so that it never
 * changes, and statements say it in the same words, or no database sees that the index fits.
 */
export const takesLong = (row = ''): string =>
  `coalesce(${row}busy_to, ${row}end_at) - coalesce(${row}busy_from, ${row}start_at) > ${dayLength}`;

/** What each relation adds to `relations`: lists find organizers and agents, and nobody else. */
export const relationBits: Readonly<Record<ActorRelation, number>> = {
  ORGANIZER: 1,
  AGENT: 2,
  CUSTOMER: 4,
  RESOURCE: 4,
  SERVICE: 4,
};

function bookedOf({ applicationId, schedule, service }: Appointment): Booked | undefined {
  if (service === undefined) return undefined;
  const { before, after } = service.buffers;
  return {
    busyFrom: schedule.start - before,
    busyTo: schedule.end + after,
    serviceActor: serviceActorId(applicationId, service.id),
  };
}

/** The rows of an appointment's actors, one for each actor id; a service counts what is booked with it, and it takes none of its time. */
export function actorRows(appointment: Appointment): readonly (readonly SqlValue[])[] {
  const byId = new Map<string, { relations: number; takesTime: boolean }>();
  for (const { actorId, relation } of actorsOf(appointment)) {
    const { relations = 0, takesTime = false } = byId.get(actorId) ?? {};
    byId.set(actorId, {
      relations: relations | relationBits[relation],
      takesTime: takesTime || relation !== 'SERVICE',
    });
  }
  const isBlocking = blocksTime(appointment);
  const booked = bookedOf(appointment);
  return Array.from(byId, ([id, { relations, takesTime }]) =>
    actorTable.values({ appointment, id, relations, blocks: takesTime && isBlocking, booked }),
  );
}

const ofCustomer = columnsOf<CustomerProfile>();

export const customerTable = tableOf<CustomerProfile>('calends_customers', 'c_')(
  {
    organization_id: ofCustomer.text('organizationId'),
    appointment_id: ofCustomer.text('appointmentId'),
    participant_id: ofCustomer.text('participantId'),
  },
  {
    username: ofCustomer.optionalText('username'),
    primary_email: ofCustomer.optionalText('primaryEmail'),
    primary_phone: ofCustomer.optionalText('primaryPhone'),
    first_name: ofCustomer.optionalText('firstName'),
    last_name: ofCustomer.optionalText('lastName'),
    metadata: ofCustomer.json('metadata'),
    removal_reason: ofCustomer.written('text', ({ removal }) => removal?.reason),
    removed_at: ofCustomer.written('integer', ({ removal }) => removal?.at),
  },
);

/** The profile of a row, exactly as it was committed. */
export const readCustomer = readerOf(customerTable, (part, row) => {
  const reason = optionalText(row, 'c_removal_reason') as RemovalReason | undefined;
  return Object.assign(part, reason && { removal: { reason, at: integer(row, 'c_removed_at') } });
});
