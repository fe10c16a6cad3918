import type { CommitResult } from '@calends/core/store';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { type CommitDialect, writeLive, type Written } from '../../commit/commit-queue.js';
import { despiteRivals } from '../../commit/rivals.js';
import { writeChange } from '../../commit/parts.js';
import type { WriteDialect } from '../../commit/part.js';
import { run, type Steps } from '../../sql/steps.js';
import { insertNew, insertNotifications, insertRows } from './insert-rows.js';
import { isDuplicateKey } from './faults.js';
import { mysqlSql } from './sql.js';

const mysqlWrites: WriteDialect = {
  sql: mysqlSql,
  locking: ' for update',
  lockingProofs: ' for update',
  // As above: a lock of one node is nothing to another.
  *stands(table, { text, values }) {
    const raise = `update ${table} set guard_revision = coalesce(guard_revision, 0) + 1 where ${text}`;
    return (yield* run(raise, values)).affected > 0;
  },
  *lockActors(organizationId, actorIds) {
    // An upsert locks the row whether it is there or not; the same order in all commits keeps deadlocks away.
    for (const actorId of [...new Set(actorIds)].sort()) {
      yield* run(
        // The row really changes: a cluster that certifies commits (Galera) compares the rows that were written.
        `insert into calends_actor_locks (organization_id, actor_id, revision) values (?, ?, 1)
         on duplicate key update revision = coalesce(revision, 0) + 1`,
        [organizationId, actorId],
      );
    }
  },
  // The appointment is the first row that a change writes: nothing else is there to be undone.
  insertNew,
  insertNotifications,
  insertRows,
};

function* writeOne([prepared]: readonly PreparedChange[]): Steps<readonly CommitResult[]> {
  return prepared === undefined ? [] : [yield* writeChange(mysqlWrites, prepared)];
}

/** Writes each change in a transaction of its own. */
export const commitOnMysql: CommitDialect['commit'] = async (connections, changes) => {
  const results: Written[] = [];
  for (const change of changes) {
    const write = () => connections.transact(() => writeLive([change], writeOne));
    results.push(...(await despiteRivals([change], isDuplicateKey, write)));
  }
  return results;
};
