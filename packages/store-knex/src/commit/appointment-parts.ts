import { run, runSingle, type Steps } from '../sql/steps.js';
import { appointmentTable, isInLiveState } from '../tables/appointments.js';
import type { CommitPart, LookingDialect, Writing } from './part.js';
import type { PreparedChange } from './prepared-change.js';
import { appointmentIdOf, asksForTime } from './rivals.js';
import { inList, sql } from '../sql/sql.js';
import { actorTable, customerTable } from '../tables/people.js';

function* isStale({ locking, stands }: LookingDialect, { change }: PreparedChange): Steps<boolean> {
  const { organizationId, appointment } = change;
  if (appointment?.kind === 'keep') {
    const condition = `${appointmentTable.isKey} and ${isInLiveState}`;
    return !(yield* stands('calends_appointments', sql(condition, organizationId, appointment.appointmentId)));
  }
  // Without a look at its time nothing comes after this, and the writing of the row tells it at once.
  if (appointment === undefined || !asksForTime(change)) return false;
  const id = 'next' in appointment ? appointment.next.id : appointment.appointmentId;
  const row = yield* runSingle(`select version from calends_appointments where ${appointmentTable.isKey}${locking}`, [
    organizationId,
    id,
  ]);
  if (appointment.kind === 'insert') return row !== undefined;
  return row === undefined || Number(row['version']) !== appointment.expectedVersion;
}

/** The appointment itself; {@link changeAppointment} writes it before all else. */
export const appointmentPart: CommitPart = { refusal: { status: 'stale', isRefused: isStale } };

const replace = `${appointmentTable.replace} ${appointmentTable.isKey} and version = ?`;
const remove = `delete from calends_appointments where ${appointmentTable.isKey} and version = ?`;

/** Writes the appointment; false when it is not as the change expects it, with nothing written. */
export function* changeAppointment({ dialect, prepared, organizationId }: Writing): Steps<boolean> {
  const { change, appointment: values = [] } = prepared;
  const { appointment } = change;
  switch (appointment?.kind) {
    case undefined:
    case 'keep':
      return true;
    case 'insert':
      return yield* dialect.insertNew(appointmentTable, values);
    case 'update': {
      const changed = values.slice(appointmentTable.key.length);
      const bound = [...changed, organizationId, appointment.next.id, appointment.expectedVersion];
      return (yield* run(replace, bound)).affected > 0;
    }
    case 'remove': {
      const bound = [organizationId, appointment.appointmentId, appointment.expectedVersion];
      return (yield* run(remove, bound)).affected > 0;
    }
  }
}

const ofAppointment = (table: string): string =>
  `delete from ${table} where organization_id = ? and appointment_id = ?`;

/** Who takes part in the appointment, as it is found by them. */
export const actorsPart: CommitPart = {
  *write({ dialect, prepared, organizationId }) {
    const { change, actors } = prepared;
    const { appointment } = change;
    if (appointment?.kind === 'update') {
      const ids = actors.map((actor) => String(actor[2]));
      const kept = ids.length === 0 ? { text: '1 = 0', values: [] } : inList('actor_id', ids);
      yield* run(`${ofAppointment('calends_actors')} and not (${kept.text})`, [
        organizationId,
        appointment.next.id,
        ...kept.values,
      ]);
    } else if (appointment?.kind === 'remove') {
      yield* run(ofAppointment('calends_actors'), [organizationId, appointment.appointmentId]);
    }
    for (const actor of actors) yield* run(dialect.sql.upsert(actorTable), actor);
  },
};

/** The profiles of customers. */
export const customersPart: CommitPart = {
  *write({ dialect, prepared, organizationId }) {
    const { change, customers, removedCustomers } = prepared;
    const appointmentId = appointmentIdOf(change);
    if (appointmentId !== undefined) {
      const own = [organizationId, appointmentId];
      if (change.appointment?.kind === 'remove') yield* run(ofAppointment('calends_customers'), own);
      const one = `${ofAppointment('calends_customers')} and participant_id = ?`;
      for (const participantId of removedCustomers) yield* run(one, [...own, participantId]);
    }
    for (const customer of customers) yield* run(dialect.sql.upsert(customerTable), customer);
  },
};
