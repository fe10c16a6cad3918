import type { CustomerProfile, DomainEvent, EventQuery, Instant, Postponement, RequestKey } from '@calends/core';
import type { Session } from '../database/session.js';
import { readCustomer } from '../rows/customer-row.js';
import { readEvent } from '../rows/event-row.js';
import { optionalInteger } from '../rows/fields.js';
import { nextClaimableEvent } from './event-claims.js';
import { requestKeyColumns, requestKeyValues } from './reservations.js';

/** The customer's profile, or `undefined`. */
export async function findCustomer(
  session: Session,
  organizationId: string,
  appointmentId: string,
  participantId: string,
): Promise<CustomerProfile | undefined> {
  const { rows } = await session.run(
    'select * from calends_customers where organization_id = ? and appointment_id = ? and participant_id = ?',
    [organizationId, appointmentId, participantId],
  );
  const [row] = rows;
  return row === undefined ? undefined : readCustomer(row);
}

/** Events of an appointment in version order. */
export async function listEvents(session: Session, query: EventQuery): Promise<readonly DomainEvent[]> {
  const { rows } = await session.run(
    'select * from calends_events where organization_id = ? and appointment_id = ? order by version, id',
    [query.organizationId, query.appointmentId],
  );
  return rows.map(readEvent);
}

/** Sets `wake_at` of the expected version, without a new one. */
export async function postpone(session: Session, postponement: Postponement): Promise<void> {
  const { organizationId, appointmentId, expectedVersion, wakeAt } = postponement;
  await session.run(
    'update calends_appointments set wake_at = ? where organization_id = ? and id = ? and version = ?',
    [wakeAt, organizationId, appointmentId, expectedVersion],
  );
}

/** The earliest instant at which a worker finds something to do; null = none. */
export async function nextWakeAt(session: Session): Promise<Instant | null> {
  const { rows } = await session.run(
    `select (select min(wake_at) from calends_appointments where wake_at is not null) as appointment,
       (${nextClaimableEvent}) as event`,
    [],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const instants = [optionalInteger(row, 'appointment'), optionalInteger(row, 'event')];
  const known = instants.filter((instant) => instant !== undefined);
  return known.length === 0 ? null : Math.min(...known);
}

/** Gives a reservation without an answer back. */
export async function releaseRequest(session: Session, key: RequestKey, token: string): Promise<void> {
  await session.run(
    `delete from calends_requests
     where ${requestKeyColumns.map((column) => `${column} = ?`).join(' and ')} and token = ? and answer is null`,
    [...requestKeyValues(key), token],
  );
}
