import { claimableEvents, type ClaimDialect, dueAppointments } from '../../queries/events.js';
import type { Row } from '../../sql/rows.js';
import { run } from '../../sql/steps.js';

/** The transaction is the only writer. */
export const sqliteClaims: ClaimDialect = {
  claimAppointments: (connections, claim) =>
    connections.transact(function* () {
      const { rows } = yield* run(dueAppointments, [claim.now, claim.limit]);
      for (const row of rows) {
        yield* run('update calends_appointments set wake_at = ? where organization_id = ? and id = ?', [
          claim.leaseUntil,
          String(row['organization_id']),
          String(row['id']),
        ]);
      }
      return rows;
    }),

  claimEvents: (connections, claim, token) =>
    connections.transact(function* () {
      const { rows } = yield* run(
        `select e.* from calends_events e where ${claimableEvents} order by e.due_at, e.id limit ?`,
        [claim.now, claim.limit],
      );
      const claimed: Row[] = [];
      for (const row of rows) {
        const attempts = Number(row['attempts']) + 1;
        yield* run('update calends_events set due_at = ?, claim_token = ?, attempts = ? where id = ?', [
          claim.leaseUntil,
          token,
          attempts,
          String(row['id']),
        ]);
        claimed.push({ ...row, attempts });
      }
      return claimed;
    }),
};
