import { maxDuration } from '@calends/core/store';
import { text } from '../sql/rows.js';
import { allOf, concat, sql } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { appointmentTable } from '../tables/appointments.js';
import { type CommitPart, type LookingDialect, refusing, type Writing } from './part.js';
import { appointmentIdOf, type PreparedChange } from './prepared-change.js';

/** States of an appointment that is not over. */
const liveStates = ['SCHEDULED', 'ACTIVATED'];

function* isStale(
  { locking, lockingProofs }: LookingDialect,
  { change: { organizationId, appointment, guard } }: PreparedChange,
): Steps<boolean> {
  const find = (column: string, id: string, lock: string) =>
    runSingle(`select ${column} from calends_appointments where organization_id = ? and id = ?${lock}`, [
      organizationId,
      id,
    ]);
  if (appointment?.kind === 'keep') {
    const row = yield* find('state', appointment.appointmentId, lockingProofs);
    return row === undefined || !liveStates.includes(text(row, 'state'));
  }
  // Without a look at its time nothing comes after this, and the writing of the row tells it at once.
  if (appointment === undefined || guard === undefined) return false;
  const id = 'next' in appointment ? appointment.next.id : appointment.appointmentId;
  const row = yield* find('version', id, locking);
  if (appointment.kind === 'insert') return row !== undefined;
  return row === undefined || Number(row['version']) !== appointment.expectedVersion;
}

/** The appointment itself; {@link changeAppointment} writes it before all else. */
export const appointmentPart: CommitPart = { refusal: refusing('stale', isStale) };

/**
 * The times of the actors: appointments that stand in the window (D26), by start, then id.
 *
 * No appointment is longer than {@link maxDuration}: what began earlier than that before the window has ended.
 */
export const overlapPart: CommitPart = {
  refusal: {
    status: 'slotConflict',
    *look(dialect, { change }) {
      const { organizationId, guard } = change;
      if (guard === undefined || guard.actorIds.length === 0) return undefined;
      const { from, to } = guard.window;
      const own = appointmentIdOf(change);
      const query = concat(
        sql('select x.appointment_id, x.start_at from calends_actors x where '),
        allOf([
          sql('x.organization_id = ?', organizationId),
          dialect.sql.anyOf('x.actor_id', guard.actorIds),
          sql('x.blocks = 1 and x.start_at < ? and x.start_at > ? and x.end_at > ?', to, from - maxDuration, from),
          ...(own === undefined ? [] : [sql('x.appointment_id <> ?', own)]),
        ]),
        sql(` order by x.start_at, x.appointment_id${dialect.locking}`),
      );
      const { rows } = yield query;
      const appointmentIds = [...new Set(rows.map((row) => text(row, 'appointment_id')))];
      return appointmentIds.length > 0 ? { status: 'slotConflict', appointmentIds } : undefined;
    },
  },
};

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
