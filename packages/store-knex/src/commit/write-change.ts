import type { CommitResult } from '@calends/core/store';
import { inList } from '../sql/sql.js';
import { run, type Steps } from '../sql/steps.js';
import { actorTable } from '../tables/actors.js';
import { appointmentTable } from '../tables/appointments.js';
import { auditTable } from '../tables/audit.js';
import { customerTable } from '../tables/customers.js';
import { eventTable } from '../tables/events.js';
import type { PreparedChange } from './prepared-change.js';
import { firstRefusal, refusalChecks } from './refusals.js';
import type { WriteDialect } from './write-dialect.js';
import { writeNotifications } from './write-notifications.js';
import { dropManageTickets, writeProofs } from './write-proofs.js';
import { writeRequest } from './write-request.js';

const updateAppointment = `${appointmentTable.replace} ${appointmentTable.isKey} and version = ?`;

function* changeAppointment(
  dialect: WriteDialect,
  { change, appointment: values = [] }: PreparedChange,
): Steps<boolean> {
  const { organizationId, appointment } = change;
  switch (appointment?.kind) {
    case undefined:
    case 'keep':
      return true;
    case 'insert':
      return yield* dialect.insertAppointment(values);
    case 'update': {
      const changed = values.slice(appointmentTable.key.length);
      const bound = [...changed, organizationId, appointment.next.id, appointment.expectedVersion];
      return (yield* run(updateAppointment, bound)).affected > 0;
    }
    case 'remove': {
      const removed = yield* run(
        'delete from calends_appointments where organization_id = ? and id = ? and version = ?',
        [organizationId, appointment.appointmentId, appointment.expectedVersion],
      );
      return removed.affected > 0;
    }
  }
}

function* changeActors(dialect: WriteDialect, { change, actors }: PreparedChange): Steps<void> {
  const { organizationId, appointment } = change;
  if (appointment?.kind === 'update') {
    const ids = actors.map((actor) => String(actor[2]));
    const kept = ids.length === 0 ? { text: '1 = 0', values: [] } : inList('actor_id', ids);
    yield* run(`delete from calends_actors where organization_id = ? and appointment_id = ? and not (${kept.text})`, [
      organizationId,
      appointment.next.id,
      ...kept.values,
    ]);
  } else if (appointment?.kind === 'remove') {
    for (const table of ['calends_actors', 'calends_customers']) {
      yield* run(`delete from ${table} where organization_id = ? and appointment_id = ?`, [
        organizationId,
        appointment.appointmentId,
      ]);
    }
    yield* dropManageTickets(organizationId, appointment.appointmentId);
  }
  const upsert = dialect.sql.upsert(actorTable);
  for (const actor of actors) yield* run(upsert, actor);
}

function* changeCustomers(dialect: WriteDialect, prepared: PreparedChange): Steps<void> {
  const { change, customers, removedCustomers, proofs } = prepared;
  const { organizationId, appointment } = change;
  if (appointment !== undefined) {
    const appointmentId = 'next' in appointment ? appointment.next.id : appointment.appointmentId;
    yield* dropManageTickets(organizationId, appointmentId, proofs?.forfeits ?? []);
    for (const participantId of removedCustomers) {
      yield* run(
        'delete from calends_customers where organization_id = ? and appointment_id = ? and participant_id = ?',
        [organizationId, appointmentId, participantId],
      );
    }
  }
  const upsert = dialect.sql.upsert(customerTable);
  for (const customer of customers) yield* run(upsert, customer);
}

/**
 * Writes one change within a transaction, step by step: everything that can refuse it comes before the first
 * row is written, so that a refused change leaves nothing behind.
 */
export function* writeChange(dialect: WriteDialect, prepared: PreparedChange): Steps<CommitResult> {
  const { change, notifications, proofs } = prepared;
  const { organizationId, request } = change;
  if (change.guard !== undefined) yield* dialect.lockActors(organizationId, change.guard.actorIds);
  const refused = yield* firstRefusal(refusalChecks(dialect, prepared));
  if (refused !== undefined) return refused;
  if (!(yield* changeAppointment(dialect, prepared))) return { status: 'stale' };
  yield* changeActors(dialect, prepared);
  yield* changeCustomers(dialect, prepared);
  if (proofs !== undefined) yield* writeProofs(dialect, organizationId, proofs);
  for (const event of prepared.events) yield* run(eventTable.insert, event);
  for (const entry of prepared.audit) yield* run(auditTable.insert, entry);
  const sending = notifications === undefined ? [] : yield* writeNotifications(dialect, organizationId, notifications);
  if (request !== undefined) yield* writeRequest(request);
  return sending.length === 0 ? { status: 'committed' } : { status: 'committed', sending };
}
