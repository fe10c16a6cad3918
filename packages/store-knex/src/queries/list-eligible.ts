import type { Appointment } from '@calends/core';
import type { EligiblePage } from '@calends/core/store';
import { run, type Steps } from '../sql/steps.js';
import { concat, sql } from '../sql/sql.js';
import { readAppointment } from '../tables/appointments.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** The next SCHEDULED appointments by id (D69). */
export function* listEligible(
  dialect: SqlDialect,
  organizationId: string,
  { applicationIds, after, limit }: EligiblePage,
): Steps<readonly Appointment[]> {
  if (applicationIds?.length === 0) return [];
  const { text, values } = concat(
    // A literal, so that the index of scheduled appointments alone can serve.
    sql(`select a.* from calends_appointments a where a.organization_id = ? and a.state = 'SCHEDULED'`, organizationId),
    ...(after === undefined ? [] : [sql(' and a.id > ?', after)]),
    ...(applicationIds === undefined ? [] : [sql(' and '), dialect.anyOf('a.application_id', applicationIds)]),
    sql(' order by a.id limit ?', limit),
  );
  const { rows } = yield* run(text, values);
  return rows.map(readAppointment);
}
