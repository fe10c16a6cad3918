import type { DomainEvent } from '@calends/core';
import type { CustomerProfile, EventQuery, Postponement } from '@calends/core/store';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { customerTable, readCustomer } from '../tables/customers.js';
import { readEvent } from '../tables/events.js';
/** Named one by one: a prepared statement outlives the migration that adds to them. */
const customerColumns = customerTable.as('c');

/** The customer's profile, or `undefined`. */
export function* findCustomer(
  organizationId: string,
  appointmentId: string,
  participantId: string,
): Steps<CustomerProfile | undefined> {
  const row = yield* runSingle(
    `select ${customerColumns} from calends_customers c
     where organization_id = ? and appointment_id = ? and participant_id = ?`,
    [organizationId, appointmentId, participantId],
  );
  return row === undefined ? undefined : readCustomer(row);
}

/** Profiles of all customers of an appointment. */
export function* listCustomers(organizationId: string, appointmentId: string): Steps<readonly CustomerProfile[]> {
  const { rows } = yield* run(
    `select ${customerColumns} from calends_customers c where organization_id = ? and appointment_id = ?`,
    [organizationId, appointmentId],
  );
  return rows.map(readCustomer);
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
