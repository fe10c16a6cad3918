import { type AppointmentChange, type Change, maxDuration, type OverlapGuard } from '@calends/core/store';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { allOf, concat, sql } from '../sql/sql.js';
import { text } from '../sql/rows.js';
import { appointmentIdOf } from './prepared-change.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** States of an appointment that is not over. */
const liveStates = ['SCHEDULED', 'ACTIVATED'];

/**
 * Appointments of the actors that stand in the window (D26), by start, then id.
 *
 * No appointment is longer than {@link maxDuration}: what began earlier than that before the window has ended.
 */
export function* conflictingAppointments(
  dialect: SqlDialect,
  change: Change,
  guard: OverlapGuard,
  locking: string,
): Steps<readonly string[]> {
  if (guard.actorIds.length === 0) return [];
  const { from, to } = guard.window;
  const own = appointmentIdOf(change);
  const query = concat(
    sql('select x.appointment_id, x.start_at from calends_actors x where '),
    allOf([
      sql('x.organization_id = ?', change.organizationId),
      dialect.anyOf('x.actor_id', guard.actorIds),
      sql('x.blocks = 1 and x.start_at < ? and x.start_at > ? and x.end_at > ?', to, from - maxDuration, from),
      ...(own === undefined ? [] : [sql('x.appointment_id <> ?', own)]),
    ]),
    sql(` order by x.start_at, x.appointment_id${locking}`),
  );
  const { rows } = yield* run(query.text, query.values);
  return [...new Set(rows.map((row) => text(row, 'appointment_id')))];
}

/** Tells whether the appointment of a change has another version, is gone, or (for an insert) exists already. */
export function* isStale({ organizationId, appointment }: Change, locking: string): Steps<boolean> {
  if (appointment === undefined || appointment.kind === 'keep') return false;
  const id = 'next' in appointment ? appointment.next.id : appointment.appointmentId;
  const row = yield* runSingle(
    `select version from calends_appointments where organization_id = ? and id = ?${locking}`,
    [organizationId, id],
  );
  if (appointment.kind === 'insert') return row !== undefined;
  return row === undefined || Number(row['version']) !== appointment.expectedVersion;
}

/** Tells whether an appointment is there and not over. */
export function* isKept(
  organizationId: string,
  { appointmentId }: Extract<AppointmentChange, { readonly kind: 'keep' }>,
  locking: string,
): Steps<boolean> {
  const row = yield* runSingle(
    `select state from calends_appointments where organization_id = ? and id = ?${locking}`,
    [organizationId, appointmentId],
  );
  return row !== undefined && liveStates.includes(text(row, 'state'));
}
