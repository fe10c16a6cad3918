import { claimableEvents, type ClaimDialect, dueAppointments } from '../../queries/events.js';
import type { Claim } from '@calends/core/store';
import type { Row } from '../../sql/rows.js';
import { run, type Steps } from '../../sql/steps.js';
import { places } from '../../sql/sql.js';
import { eventColumns } from '../../tables/events.js';

function* markClaimed(rows: readonly Row[], { leaseUntil }: Claim, token: string): Steps<readonly Row[]> {
  if (rows.length === 0) return [];
  yield* run(
    `update calends_events set attempts = attempts + 1, due_at = ?, claim_token = ?
     where id in (${places(rows.length)})`,
    [leaseUntil, token, ...rows.map((row) => String(row['id']))],
  );
  return rows.map((row) => ({ ...row, attempts: Number(row['attempts']) + 1 }));
}

export const mysqlClaims: ClaimDialect = {
  // Claims due appointments: chosen and locked first, passing over what others hold, then moved.
  claimAppointments: (connections, claim) =>
    connections.transact(function* () {
      const { rows } = yield* run(`${dueAppointments} for update skip locked`, [claim.now, claim.limit]);
      if (rows.length > 0) {
        const keys = rows.flatMap((row) => [String(row['organization_id']), String(row['id'])]);
        const pairs = rows.map(() => '(organization_id = ? and id = ?)').join(' or ');
        yield* run(`update calends_appointments set wake_at = ? where ${pairs}`, [claim.leaseUntil, ...keys]);
      }
      return rows;
    }),

  // Claims events in two steps: what may be claimed is found without locks, and locked only if it still may.
  claimEvents: (connections, claim, token) =>
    connections.transact(function* () {
      const found = yield* run(
        `select e.id from calends_events e where ${claimableEvents} order by e.due_at, e.id limit ?`,
        [claim.now, claim.limit],
      );
      if (found.rows.length === 0) return [];
      const ids = found.rows.map((row) => String(row['id']));
      const { rows } = yield* run(
        `select ${eventColumns} from calends_events e where id in (${places(ids.length)}) and due_at <= ?
         order by due_at, id for update skip locked`,
        [...ids, claim.now],
      );
      return yield* markClaimed(rows, claim, token);
    }),
};
