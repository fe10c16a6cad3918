import type {
  CustomerProfile,
  DomainEvent,
  EventQuery,
  Instant,
  Postponement,
  RequestKey,
  WakeInterests,
} from '@calends/core';
import { run, runSingle, type Steps } from '../database/steps.js';
import type { QueueTable } from '../dialects/dialect.js';
import { customerFields, readCustomer } from '../rows/customer-row.js';
import { readEvent } from '../rows/event-row.js';
import { fieldNames, optionalInteger } from '../rows/fields.js';
import { nextClaimableEvent } from './event-claims.js';
import { requestKeyColumns, requestKeyValues } from './reservations.js';

/** Named one by one: a prepared statement outlives the migration that adds to them. */
const customerColumns = fieldNames(customerFields).join(', ');

/** The customer's profile, or `undefined`. */
export function* findCustomer(
  organizationId: string,
  appointmentId: string,
  participantId: string,
): Steps<CustomerProfile | undefined> {
  const row = yield* runSingle(
    `select ${customerColumns} from calends_customers
     where organization_id = ? and appointment_id = ? and participant_id = ?`,
    [organizationId, appointmentId, participantId],
  );
  return row === undefined ? undefined : readCustomer(row);
}

/** Profiles of all customers of an appointment. */
export function* listCustomers(organizationId: string, appointmentId: string): Steps<readonly CustomerProfile[]> {
  const { rows } = yield* run(
    `select ${customerColumns} from calends_customers where organization_id = ? and appointment_id = ?`,
    [organizationId, appointmentId],
  );
  return rows.map((row) => readCustomer(row));
}

/** Events of an appointment in version order. */
export function* listEvents(query: EventQuery): Steps<readonly DomainEvent[]> {
  const { rows } = yield* run(
    'select * from calends_events where organization_id = ? and appointment_id = ? order by version, id',
    [query.organizationId, query.appointmentId],
  );
  return rows.map(readEvent);
}

/** Sets `wake_at` of the expected version, without a new one. */
export function* postpone(postponement: Postponement): Steps<void> {
  const { organizationId, appointmentId, expectedVersion, wakeAt } = postponement;
  yield* run('update calends_appointments set wake_at = ? where organization_id = ? and id = ? and version = ?', [
    wakeAt,
    organizationId,
    appointmentId,
    expectedVersion,
  ]);
}

/** The earliest instant at which a worker that does these kinds of work finds something to do; null = none. */
export function* nextWakeAt(
  table: QueueTable,
  { appointments, events, channels }: WakeInterests,
): Steps<Instant | null> {
  const instants = [
    ...(appointments ? ['select min(wake_at) from calends_appointments where wake_at is not null'] : []),
    ...(events ? [nextClaimableEvent] : []),
    // One for each channel, so that each is the first entry of its part of the index.
    ...channels.map(() => `select min(wake_at) from ${table} where channel = ? and wake_at is not null`),
  ];
  if (instants.length === 0) return null;
  const columns = instants.map((query, index) => `(${query}) as instant_${index}`);
  const row = yield* runSingle(`select ${columns.join(', ')}`, channels);
  const known = instants.flatMap((_, index) => (row && optionalInteger(row, `instant_${index}`)) ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Gives a reservation without an answer back. */
export function* releaseRequest(key: RequestKey, token: string): Steps<void> {
  yield* run(
    `delete from calends_requests
     where ${requestKeyColumns.map((column) => `${column} = ?`).join(' and ')} and token = ? and answer is null`,
    [...requestKeyValues(key), token],
  );
}
