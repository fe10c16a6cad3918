import { claimAssignments, claimValues, type DeliveryDialect, timeOf } from '../../queries/delivery.js';
import type { Instant, NotificationClaim } from '@calends/core/store';
import {
  deliveryEventTable,
  eventRows,
  notificationParts,
  notificationTable,
  withAppointmentAndCustomer,
} from '../../tables/notifications.js';
import { integer, type Row, text } from '../../sql/rows.js';
import { places } from '../../sql/sql.js';
import { run, type Steps } from '../../sql/steps.js';
import { insertRows } from './insert-rows.js';
import { mysqlSql } from './sql.js';

/** So many times as many rows as are wanted are looked at: others may hold some of them. */
const lookedAt = 4;

/**
 * Due notifications of a channel, earliest first, found without locks and then locked by their keys where nobody else holds them.
 *
 * A locking read of the index locks the row behind the last due one as well. That is the first one of another channel where
 * nothing else waits: the claim of that channel, at the same time, would pass over it and say that nothing is due. Both
 * indexes are named, since a small table is read, and locked, as a whole otherwise.
 */
const lockDue = `select n.organization_id, n.id, n.phase as found, n.wake_at as due_at, n.updated_at as updated_before
  from (
    select organization_id, id from calends_notifications${mysqlSql.through('calends_notifications_due')}
    where channel = ? and wake_at <= ? order by wake_at, id limit ?
  ) due straight_join calends_notifications n${mysqlSql.through('primary')}
    on n.organization_id = due.organization_id and n.id = due.id
  where n.wake_at <= ? limit ? for update skip locked`;

const nameOf = (organizationId: string, id: string): string => `${organizationId}\u0000${id}`;

/**
 * Notifications `n` of a list of keys. As a table they are found one by one in the primary key; as a condition with
 * as many alternatives they cost the square of their number. The key is named for what {@link lockDue} says.
 */
const ofKeys = `json_table(?, '$[*]' columns (
    organization_id varchar(128) character set utf8mb4 path '$[0]', id varchar(128) character set utf8mb4 path '$[1]'
  )) k straight_join calends_notifications n${mysqlSql.through('primary')} on n.organization_id = k.organization_id and n.id = k.id`;
const selectClaimed = `select ${notificationParts} from ${ofKeys} ${withAppointmentAndCustomer}`;
const lockRevisions = `select n.organization_id, n.id, n.revision from ${ofKeys} for update`;

type Key = readonly [organizationId: string, id: string];

/** Moves locked rows, those of one organization with one statement: an update of joined tables keeps no order. */
function* moveClaimed(now: Instant, claim: NotificationClaim, keys: readonly Key[]): Steps<void> {
  const byOrganization = new Map<string, string[]>();
  for (const [organizationId, id] of keys) {
    const ids = byOrganization.get(organizationId);
    if (ids === undefined) byOrganization.set(organizationId, [id]);
    else ids.push(id);
  }
  for (const [organizationId, ids] of byOrganization) {
    yield* run(
      `update calends_notifications${mysqlSql.through('primary')} set ${claimAssignments} where organization_id = ? and id in (${places(ids.length)})`,
      [...claimValues(now, claim), organizationId, ...ids],
    );
  }
}

const replaced = ` on duplicate key update ${notificationTable.others.map((name) => `${name} = values(${name})`).join(', ')}`;

export const mysqlDelivery: DeliveryDialect = {
  // Claims due notifications: locked first, passing over what others hold, then moved, then read.
  claimNotifications: (connections, claim) =>
    connections.transact(function* () {
      const now = yield* timeOf(claim, mysqlSql);
      const due = yield* run(lockDue, [claim.channel, now, claim.limit * lookedAt, now, claim.limit]);
      if (due.rows.length === 0) return { now, rows: [] };
      const keys = due.rows.map((row): Key => [text(row, 'organization_id'), text(row, 'id')]);
      yield* moveClaimed(now, claim, keys);
      const claimed = yield* run(selectClaimed, [JSON.stringify(keys)]);
      const byName = new Map<string, Row>(
        claimed.rows.map((row) => [nameOf(text(row, 'n_organization_id'), text(row, 'n_id')), row]),
      );
      const rows = due.rows.map((before) =>
        Object.assign({}, byName.get(nameOf(text(before, 'organization_id'), text(before, 'id'))), {
          found: before['found'],
          due_at: before['due_at'],
          updated_before: before['updated_before'],
        }),
      );
      return { now, rows };
    }),

  // Writes outcomes in one transaction: locks what has the expected revision, then replaces these rows with one
  // statement. They are there, so that the insert never inserts.
  settleNotifications: (connections, updates) =>
    connections.transact(function* () {
      const keys = updates.map(({ next }): Key => [next.organizationId, next.id]);
      const { rows } = yield* run(lockRevisions, [JSON.stringify(keys)]);
      const revisions = new Map(
        rows.map((row) => [nameOf(text(row, 'organization_id'), text(row, 'id')), integer(row, 'revision')]),
      );
      const stands = updates.map(
        ({ next, expectedRevision }) => revisions.get(nameOf(next.organizationId, next.id)) === expectedRevision,
      );
      const standing = updates.filter((_, index) => stands[index]);
      const values = standing.map(({ next }) => notificationTable.values(next));
      yield* insertRows(notificationTable, values, replaced);
      yield* insertRows(deliveryEventTable, standing.flatMap(eventRows));
      return stands;
    }),
};
