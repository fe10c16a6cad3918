import { countRows, type InsertNew, run, runSingle, type Steps } from '../sql/steps.js';
import { limits, readPage } from './page.js';
import type {
  AuditEntry,
  AuditQuery,
  AuditRefusal,
  AuditSeal,
  Listed,
  SealedAudit,
  UnsealedAudit,
} from '@calends/core/store';
import { allOf, concat, sql, withinSpan } from '../sql/sql.js';
import { auditTable, noAppointment, notSealed, readAudit, readSeal, refusalTable, sealTable } from '../tables/audit.js';
import { integer, text } from '../sql/rows.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

const columnsOf = (alias: string): string => auditTable.names.map((name) => `${alias}.${name}`).join(', ');

/** Columns of an entry that a refused call takes from its appointment `a`, by the values that follow. */
export const refusedColumns = ['organization_id', 'application_id', 'appointment_id', ...refusalTable.names];

const appendRefused = `insert into calends_audit (${refusedColumns.join(', ')})
  select a.organization_id, a.application_id, a.id, ${refusalTable.names.map(() => '?').join(', ')}
  from calends_appointments a where a.id = ?`;

const appendTried = `insert into calends_audit (${refusedColumns.join(', ')})
  values (${refusedColumns.map(() => '?').join(', ')})`;

/** Appends refused calls one by one, within a transaction. */
export function* recordRefusalsStepwise(refusals: readonly AuditRefusal[]): Steps<void> {
  for (const refusal of refusals) {
    const { organizationId, applicationId, appointmentId } = refusal;
    if (appointmentId === undefined) {
      if (organizationId === undefined || applicationId === undefined) continue;
      yield* run(appendTried, [organizationId, applicationId, noAppointment, ...refusalTable.values(refusal)]);
      continue;
    }
    const scope = organizationId === undefined ? [] : [organizationId];
    yield* run(`${appendRefused}${organizationId === undefined ? '' : ' and a.organization_id = ?'}`, [
      ...refusalTable.values(refusal),
      appointmentId,
      ...scope,
    ]);
  }
}

/** A page of the record and the total, from one state of the database. */
export function* listAudit(query: AuditQuery): Steps<Listed<AuditEntry>> {
  const { organizationId, appointmentId, from, to } = query;
  const conditions = allOf([
    sql('x.organization_id = ?', organizationId),
    ...(appointmentId === undefined ? [] : [sql('x.appointment_id = ?', appointmentId)]),
    ...(from === undefined ? [] : [sql('x.happened_at >= ?', from)]),
    ...(to === undefined ? [] : [sql('x.happened_at < ?', to)]),
  ]);
  const statement = concat(
    sql(`select t.total, ${columnsOf('e')} from (select count(*) as total from calends_audit x where `),
    conditions,
    sql(') t left join (select x.happened_at, x.id from calends_audit x where '),
    conditions,
    sql(' order by x.happened_at desc, x.id desc limit ? offset ?', ...limits(query)),
    // Outer joins: a page past the end still has the total.
    sql(') p on 1 = 1 left join calends_audit e on e.organization_id = ?', organizationId),
    sql(' and e.happened_at = p.happened_at and e.id = p.id order by e.happened_at desc, e.id desc'),
  );
  return readPage(yield statement, 'id', readAudit);
}

const isUnsealed = `seal_number = ${notSealed}`;
// Ordered as the index by seal is: PostgreSQL would else go through all entries of an organization by the primary key.
const someUnsealed = `select organization_id from calends_audit
  where ${isUnsealed} and organization_id > ? order by organization_id, id limit 1`;
const allUnsealed = `select ${columnsOf('e')} from calends_audit e
  where ${isUnsealed} and organization_id = ? order by id limit ?`;
const lastSealOf = `select ${sealTable.list} from calends_audit_seals where organization_id = ? order by seal_number desc limit 1`;

/** Unsealed entries of the first organization after `after` that has any, and its last seal. */
export function* unsealedAudit(limit: number, after = ''): Steps<UnsealedAudit | undefined> {
  const some = yield* runSingle(someUnsealed, [after]);
  if (some === undefined) return undefined;
  const organizationId = text(some, 'organization_id');
  const { rows } = yield* run(allUnsealed, [organizationId, limit]);
  const last = yield* runSingle(lastSealOf, [organizationId]);
  return { organizationId, entries: rows.map(readAudit), lastSeal: last === undefined ? undefined : readSeal(last) };
}

/**
 * Appends a seal within a transaction: as the next of its organization, over entries that are there and not sealed.
 * They are locked from the look at them on: none comes under another seal before this one stands.
 */
export function* sealStepwise(
  { sql: dialect, insertNew }: { readonly sql: SqlDialect; readonly insertNew: InsertNew },
  seal: AuditSeal,
  locking: string,
): Steps<boolean> {
  const { organizationId, number, entryIds } = seal;
  // PostgreSQL would read all that is unsealed for the list only, and with each seal again.
  const open = allOf([
    sql(`organization_id = ? and ${isUnsealed}`, organizationId),
    ...(entryIds.length === 0 ? [sql('1 = 0')] : [withinSpan('id', entryIds), dialect.anyOf('id', entryIds)]),
  ]);
  const { rows } = yield* run(`select id from calends_audit where ${open.text} order by id${locking}`, open.values);
  if (rows.length < entryIds.length) return false;
  const last = yield* runSingle(lastSealOf, [organizationId]);
  if (number !== (last === undefined ? 1 : integer(last, 'seal_number') + 1)) return false;
  if (!(yield* insertNew(sealTable, sealTable.values(seal)))) return false;
  yield* run(`update calends_audit set seal_number = ? where ${open.text}`, [number, ...open.values]);
  return true;
}

/** Seals in order, with what stands under their numbers now. */
export function* listSeals(
  dialect: SqlDialect,
  organizationId: string,
  fromNumber: number,
  limit: number,
): Steps<readonly SealedAudit[]> {
  const found = yield* run(
    `select ${sealTable.list} from calends_audit_seals where organization_id = ? and seal_number >= ? order by seal_number limit ?`,
    [organizationId, fromNumber, limit],
  );
  const seals = found.rows.map(readSeal);
  if (seals.length === 0) return [];
  const entries = concat(
    sql(`select ${columnsOf('e')} from calends_audit e where organization_id = ? and `, organizationId),
    dialect.anyOf(
      'seal_number',
      seals.map(({ number }) => number),
    ),
    sql(' order by seal_number, id'),
  );
  const byNumber = new Map<number, AuditEntry[]>(seals.map(({ number }) => [number, []]));
  const { rows } = yield entries;
  for (const row of rows) byNumber.get(integer(row, 'seal_number'))?.push(readAudit(row));
  return seals.map((seal) => ({ seal, entries: byNumber.get(seal.number) ?? [] }));
}

/** How many entries of an organization no seal covers. */
export const countUnsealedAudit = (organizationId: string) =>
  countRows(
    sql(`select count(*) as counted from calends_audit where ${isUnsealed} and organization_id = ?`, organizationId),
  );
