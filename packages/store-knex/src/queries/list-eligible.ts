import type { Appointment } from '@calends/core';
import { run, type Steps } from '../database/steps.js';
import { concat, sql } from '../database/sql.js';
import type { SqlDialect } from '../dialects/dialect.js';
import { readAppointment } from '../rows/appointment-row.js';

/** All SCHEDULED appointments by start, then id (D24). */
export function* listEligible(
  dialect: SqlDialect,
  organizationId: string,
  applicationIds: readonly string[] | undefined,
  limit: number | undefined,
): Steps<readonly Appointment[]> {
  if (applicationIds?.length === 0) return [];
  const { text, values } = concat(
    // A literal, so that the index of scheduled appointments alone can serve.
    sql(`select a.* from calends_appointments a where a.organization_id = ? and a.state = 'SCHEDULED'`, organizationId),
    ...(applicationIds === undefined ? [] : [sql(' and '), dialect.anyOf('a.application_id', applicationIds)]),
    sql(' order by a.start_at, a.id'),
    ...(limit === undefined ? [] : [sql(' limit ?', limit)]),
  );
  const { rows } = yield* run(text, values);
  return rows.map(readAppointment);
}
