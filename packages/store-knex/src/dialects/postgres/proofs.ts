import type { Fields } from '../../sql/rows.js';
import { insertNew, run, runSingle } from '../../sql/steps.js';
import { refusedColumns, sealStepwise } from '../../queries/audit-record.js';
import { countOtpTry, otpTryValues, type ProofDialect } from '../../queries/proofs.js';
import { noAppointment, refusalTable } from '../../tables/audit.js';
import { otpTable } from '../../tables/otp-challenges.js';
import { columnLists, nameList, rowSource } from './column-lists.js';
import { postgresSql } from './sql.js';

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

/** Tries and refused calls with one statement each; a seal in a transaction. */
export const postgresProofs: ProofDialect = {
  countOtpTry: (connections, attempt) =>
    connections.use(() => runSingle(`${countOtpTry} returning ${otpTable.list}`, otpTryValues(attempt))),

  async recordRefusals(connections, refusals) {
    const rows = refusals.map((refusal) => [
      refusal.organizationId ?? null,
      refusal.applicationId ?? null,
      refusal.appointmentId ?? noAppointment,
      ...refusalTable.values(refusal),
    ]);
    await connections.single(() => run(appendRefused, columnLists(refused, rows)));
  },

  sealAudit: (connections, seal) =>
    connections.transact(() => sealStepwise({ sql: postgresSql, insertNew }, seal, ' for update')),
};
