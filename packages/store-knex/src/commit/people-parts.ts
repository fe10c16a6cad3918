import { inList } from '../sql/sql.js';
import { run } from '../sql/steps.js';
import { actorTable } from '../tables/actors.js';
import { customerTable } from '../tables/customers.js';
import type { CommitPart } from './part.js';
import { appointmentIdOf } from './prepared-change.js';

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
