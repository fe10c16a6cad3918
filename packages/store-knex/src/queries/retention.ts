import { deliveryEventId, type JobClaim, type NotificationPurge, type RetentionStep } from '@calends/core/store';
import type { AuditSeal, AuditTrim } from '@calends/core/store';
import { integer, text } from '../sql/rows.js';
import { concat, sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { findRow, type InsertNew, run, runSingle, type Steps } from '../sql/steps.js';
import { readSeal, sealTable } from '../tables/audit.js';
import { leaseTable } from '../tables/leases.js';

/** What differs between the databases. */
export interface RetentionDialect {
  readonly sql: SqlDialect;
  readonly insertNew: InsertNew;
  /** What a `select` ends with that locks its rows; empty where a transaction has all of the database. */
  readonly locking: string;
  /** True where the queue lies beside the notifications, and their history in the order of its lists (ADR 0033). */
  readonly keepsQueueApart: boolean;
}

/** Takes a job, or keeps it; false while somebody else has it. */
export function* claimJob(dialect: Pick<RetentionDialect, 'sql' | 'insertNew'>, claim: JobClaim): Steps<boolean> {
  const { job, holder, leaseFor } = claim;
  const now = claim.now === undefined ? yield* clockOf(dialect.sql) : claim.now;
  const { affected } = yield* run(
    'update calends_leases set holder = ?, until_at = ? where job = ? and (holder = ? or until_at <= ?)',
    [holder, now + leaseFor, job, holder, now],
  );
  return affected > 0 || (yield* dialect.insertNew(leaseTable, leaseTable.values(claim, now)));
}

function* clockOf(dialect: SqlDialect): Steps<number> {
  const clock = dialect.clock();
  const row = yield* runSingle(`select ${clock.text} as now`, clock.values);
  return integer(row ?? {}, 'now');
}

/** Where a round over the notifications is: in an application, behind one of its rows. */
interface Place {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly createdAt: number;
  readonly id: string;
}

const beginning: Place = { organizationId: '', applicationId: '', createdAt: 0, id: '' };

function placeOf([organizationId, applicationId, createdAt, id]: readonly string[]): Place {
  if (organizationId === undefined || applicationId === undefined || id === undefined) return beginning;
  return { organizationId, applicationId, createdAt: Number(createdAt), id };
}

const placeIn = ({ organizationId, applicationId, createdAt, id }: Place): readonly string[] => [
  organizationId,
  applicationId,
  String(createdAt),
  id,
];

const laterApplication = `select organization_id, application_id from calends_notifications
  where organization_id = ? and application_id > ? order by organization_id, application_id limit 1`;
const laterOrganization = `select organization_id, application_id from calends_notifications
  where organization_id > ? order by organization_id, application_id limit 1`;

function* applicationAfter({ organizationId, applicationId }: Place): Steps<Place | undefined> {
  const later = yield* runSingle(laterApplication, [organizationId, applicationId]);
  const row = later === undefined ? yield* runSingle(laterOrganization, [organizationId]) : later;
  if (row === undefined) return undefined;
  return { ...beginning, organizationId: text(row, 'organization_id'), applicationId: text(row, 'application_id') };
}

/** The next notifications of an application that were made before a time, by the index of its list. */
const oldNotifications = `select id, created_at from calends_notifications
  where organization_id = ? and application_id = ? and created_at >= ? and created_at < ? and (created_at > ? or id > ?)
  order by created_at, id limit ?`;

const isSettled = `n.phase = 'DONE' and n.updated_at < ?`;

/** Those of given ids that are over; joined so that no database reads all appointments or events for them. */
const overNotifications = `select n.id, n.event_count from calends_notifications n
  left join calends_appointments a on a.organization_id = n.organization_id and a.id = n.appointment_id and a.end_at >= ?
  left join calends_events e
    on e.organization_id = n.organization_id and e.appointment_id = n.appointment_id and e.delivered_at is null
  where n.organization_id = ? and ${isSettled} and a.id is null and e.id is null and `;

/** One step of a round over all notifications, within a transaction; it looks at `limit` of them at most. */
export function* purgeNotifications(
  dialect: RetentionDialect,
  { before, limit, after = [] }: NotificationPurge,
): Steps<RetentionStep> {
  const place = placeOf(after);
  const { organizationId, applicationId, createdAt, id } = place;
  const { rows } = yield* run(oldNotifications, [
    organizationId,
    applicationId,
    createdAt,
    before,
    createdAt,
    id,
    limit,
  ]);
  const ids = rows.map((row) => text(row, 'id'));
  const removed = ids.length === 0 ? 0 : yield* deleteOver(dialect, organizationId, before, ids);
  const last = rows.at(-1);
  const next =
    last === undefined || rows.length < limit
      ? yield* applicationAfter(place)
      : { organizationId, applicationId, createdAt: integer(last, 'created_at'), id: text(last, 'id') };
  return { removed, next: next && placeIn(next) };
}

/** Deletes those that are over, and still settled once they are locked, with their history. */
function* deleteOver(
  { sql: dialect, locking, keepsQueueApart }: RetentionDialect,
  organizationId: string,
  before: number,
  candidates: readonly string[],
): Steps<number> {
  const { rows } = yield concat(
    sql(overNotifications, before, organizationId, before),
    dialect.anyOf('n.id', candidates),
  );
  if (rows.length === 0) return 0;
  const counts = new Map(rows.map((row) => [text(row, 'id'), integer(row, 'event_count')]));
  const locked = yield concat(
    sql(
      `select n.id from calends_notifications n where n.organization_id = ? and ${isSettled} and `,
      ...[organizationId, before],
    ),
    dialect.anyOf('n.id', [...counts.keys()]),
    sql(` order by n.id${locking}`),
  );
  const ids = locked.rows.map((row) => text(row, 'id'));
  if (ids.length === 0) return 0;
  const deleteFrom = (table: string, column: string, values: readonly string[]) =>
    concat(sql(`delete from ${table} where organization_id = ? and `, organizationId), dialect.anyOf(column, values));
  if (keepsQueueApart) {
    yield deleteFrom('calends_notification_queue', 'id', ids);
    yield deleteFrom('calends_delivery_events', 'notification_id', ids);
  } else {
    const events = ids.flatMap((id) =>
      Array.from({ length: counts.get(id) ?? 0 }, (_, index) => deliveryEventId(id, index + 1)),
    );
    if (events.length > 0) yield deleteFrom('calends_delivery_events', 'id', events);
  }
  yield deleteFrom('calends_notifications', 'id', ids);
  return ids.length;
}

const firstSealed = `select ${sealTable.list} from calends_audit_seals where organization_id > ? and anchor is null
  order by organization_id, seal_number limit 1`;

/** The first seal without an anchor of the next organization that has one. */
export const nextSealed = (after = ''): Steps<AuditSeal | undefined> => findRow(firstSealed, [after], readSeal);

/** Removes the entries under the seals up to one, and the seals before it, within a transaction. */
export function* trimAudit(
  { sql: dialect, locking }: RetentionDialect,
  { organizationId, upTo, anchor }: AuditTrim,
): Steps<boolean> {
  const { rows } = yield* run(
    `select seal_number, anchor from calends_audit_seals where organization_id = ? and seal_number <= ?
     order by seal_number${locking}`,
    [organizationId, upTo],
  );
  const numbers = rows.map((row) => integer(row, 'seal_number'));
  if (numbers.at(-1) !== upTo || rows.at(-1)?.['anchor'] !== null) return false;
  yield concat(
    sql('delete from calends_audit where organization_id = ? and ', organizationId),
    dialect.anyOf('seal_number', numbers),
  );
  yield* run('delete from calends_audit_seals where organization_id = ? and seal_number < ?', [organizationId, upTo]);
  yield* run(
    `update calends_audit_seals set entry_ids = '[]', anchor = ? where organization_id = ? and seal_number = ?`,
    [...[anchor, organizationId, upTo]],
  );
  return true;
}
