import type { AuditRefusal, AuditSeal, OtpTry } from '@calends/core/store';
import type { Connections } from '../../database/connections.js';
import type { Fields, Row } from '../../sql/rows.js';
import { run, runSingle } from '../../sql/steps.js';
import { refusedColumns, sealStepwise } from '../../queries/audit-record.js';
import { countOtpTry, otpTryValues } from '../../queries/customer-proofs.js';
import { noAppointment, refusalTable } from '../../tables/audit.js';
import { columnLists, nameList, rowSource } from './column-lists.js';
import { insertNew } from '../../queries/insert-new.js';
import { postgresSql } from './sql.js';

/** Counts a try at a one-time password with one statement. */
export const countOtpTryOnPostgres = (connections: Connections, attempt: OtpTry): Promise<Row | undefined> =>
  connections.use(() => runSingle(`${countOtpTry} returning *`, otpTryValues(attempt)));

const refused = {
  organization_id: 'text',
  application_id: 'text',
  appointment_id: 'text',
  ...refusalTable.fields,
} as const satisfies Fields;
const appendRefused = `insert into calends_audit (${refusedColumns.join(', ')})
  select coalesce(a.organization_id, r.organization_id), coalesce(a.application_id, r.application_id),
    r.appointment_id, ${refusalTable.names.map((name) => `r.${name}`).join(', ')}
  from ${rowSource(refused, 'many')} as r (${nameList(refused)}) left join calends_appointments a
    on a.id = r.appointment_id and a.organization_id = coalesce(r.organization_id, a.organization_id)
  where a.id is not null or (r.appointment_id = '${noAppointment}' and r.organization_id is not null and r.application_id is not null)`;

/** Appends refused calls with one statement. */
export async function recordRefusalsOnPostgres(
  connections: Connections,
  refusals: readonly AuditRefusal[],
): Promise<void> {
  const rows = refusals.map((refusal) => [
    refusal.organizationId ?? null,
    refusal.applicationId ?? null,
    refusal.appointmentId ?? noAppointment,
    ...refusalTable.values(refusal),
  ]);
  await connections.single(() => run(appendRefused, columnLists(refused, rows)));
}

/** Appends a seal in one transaction. */
export const sealAuditOnPostgres = (connections: Connections, seal: AuditSeal): Promise<boolean> =>
  connections.transact(() => sealStepwise({ sql: postgresSql, insertNew }, seal, ' for update'));
