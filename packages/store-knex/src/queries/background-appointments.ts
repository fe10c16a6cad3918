import type { AppointmentWalk, EligiblePage, Postponement, WalkedAppointment } from '@calends/core/store';
import { optionalInteger } from '../sql/rows.js';
import type { Appointment } from '@calends/core';
import { listRows, run, type Steps } from '../sql/steps.js';
import { concat, skipping, sql } from '../sql/sql.js';
import { appointmentColumns, readAppointment } from '../tables/appointments.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** The next SCHEDULED appointments by id (D69). */
export function* listEligible(
  dialect: SqlDialect,
  organizationId: string,
  { applicationIds, after, limit }: EligiblePage,
): Steps<readonly Appointment[]> {
  if (applicationIds?.length === 0) return [];
  const rows = concat(
    // A literal, so that the index of scheduled appointments alone can serve.
    sql(
      `select ${appointmentColumns} from calends_appointments a where a.organization_id = ? and a.state = 'SCHEDULED'`,
      organizationId,
    ),
    ...(after === undefined ? [] : [sql(' and a.id > ?', after)]),
    ...(applicationIds === undefined ? [] : [sql(' and '), dialect.anyOf('a.application_id', applicationIds)]),
    sql(' order by a.id'),
  );
  const { page } = applicationIds === undefined ? dialect : { page: skipping };
  return yield* listRows(page(rows, limit, 0), readAppointment);
}

/** The next appointments of all organizations. */
export function walkAppointments({ after, limit }: AppointmentWalk): Steps<readonly WalkedAppointment[]> {
  const ahead = after === undefined ? '' : 'where organization_id > ? or (organization_id = ? and id > ?)';
  const values = after === undefined ? [limit] : [after.organizationId, after.organizationId, after.id, limit];
  const query = sql(
    `select ${appointmentColumns}, a.wake_at from calends_appointments a ${ahead} order by organization_id, id limit ?`,
    ...values,
  );
  return listRows(query, (row) => ({
    appointment: readAppointment(row),
    wakeAt: optionalInteger(row, 'wake_at') ?? null,
  }));
}

/** Sets `wake_at` of the expected version, without a new one. */
export function* postpone({ organizationId, appointmentId, expectedVersion, wakeAt }: Postponement): Steps<void> {
  const values = [wakeAt, organizationId, appointmentId, expectedVersion];
  yield* run(
    'update calends_appointments set wake_at = ? where organization_id = ? and id = ? and version = ?',
    values,
  );
}
