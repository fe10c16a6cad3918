import {
  claimAssignments,
  claimValues,
  type DeliveryDialect,
  dueNotifications,
  selectClaimed,
  timeOf,
} from '../../queries/notification-claims.js';
import { eventRows } from '../../commit/notification-updates.js';
import { type Row, text } from '../../sql/rows.js';
import { run, runSingle } from '../../sql/steps.js';
import { replaceNotification } from '../../commit/notifications-part.js';
import { deliveryEventTable } from '../../tables/delivery-events.js';
import { insertRows } from './commit.js';
import { sqliteSql } from './sql.js';

const claimOne = `update calends_notifications set ${claimAssignments} where organization_id = ? and id = ?`;
const selectOne = `${selectClaimed} where n.organization_id = ? and n.id = ?`;

/** The transaction is the only writer. */
export const sqliteDelivery: DeliveryDialect = {
  claimNotifications: (connections, claim) =>
    connections.transact(function* () {
      const now = yield* timeOf(claim, sqliteSql);
      const due = yield* run(dueNotifications, [claim.channel, now, claim.limit]);
      const rows: Row[] = [];
      for (const before of due.rows) {
        const key = [text(before, 'organization_id'), text(before, 'id')];
        yield* run(claimOne, [...claimValues(now, claim), ...key]);
        const row = yield* runSingle(selectOne, key);
        const { found, due_at, updated_before } = before;
        rows.push(Object.assign({}, row, { found, due_at, updated_before }));
      }
      return { now, rows };
    }),

  settleNotifications: (connections, updates) =>
    connections.transact(function* () {
      const written: boolean[] = [];
      for (const update of updates) {
        const stands = yield* replaceNotification(update.next.organizationId, update);
        if (stands) yield* insertRows(deliveryEventTable, eventRows(update));
        written.push(stands);
      }
      return written;
    }),
};
