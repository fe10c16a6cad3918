import type { CommitResult } from '@calends/core';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { issuesFirstTicket } from '../../commit/prepared-proofs.js';
import { writeChange } from '../../commit/write-change.js';
import type { WriteDialect } from '../../commit/write-dialect.js';
import type { Connections } from '../../database/connections.js';
import { run } from '../../database/steps.js';
import { places } from '../../database/sql.js';
import { appointmentFields } from '../../rows/appointment-row.js';
import { fieldNames } from '../../rows/fields.js';
import { insertNotifications, insertRows } from './insert-rows.js';
import { isDuplicateKey } from './faults.js';
import { mysqlSql } from './sql.js';

const insertAppointment = `insert into calends_appointments (${fieldNames(appointmentFields).join(', ')})
  values (${places(fieldNames(appointmentFields).length)})`;

const mysqlWrites: WriteDialect = {
  sql: mysqlSql,
  locking: ' for update',
  *lockActors(organizationId, actorIds) {
    // An upsert locks the row whether it is there or not; the same order in all commits keeps deadlocks away.
    for (const actorId of [...new Set(actorIds)].sort()) {
      yield* run(
        `insert into calends_actor_locks (organization_id, actor_id) values (?, ?)
         on duplicate key update actor_id = actor_id`,
        [organizationId, actorId],
      );
    }
  },
  *insertAppointment(values) {
    try {
      yield* run(insertAppointment, values);
      return true;
    } catch (error) {
      // It is the first row that the change writes: nothing else is there to be undone.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  },
  insertNotifications,
  insertRows,
};

async function write(connections: Connections, prepared: PreparedChange): Promise<CommitResult> {
  const attempt = (): Promise<CommitResult> => connections.transact(() => writeChange(mysqlWrites, prepared));
  try {
    return await attempt();
  } catch (error) {
    if (!isDuplicateKey(error) || !issuesFirstTicket(prepared.change)) throw error;
    return attempt();
  }
}

/** Writes each change in a transaction of its own. */
export async function commitOnMysql(
  connections: Connections,
  changes: readonly PreparedChange[],
): Promise<readonly CommitResult[]> {
  const results: CommitResult[] = [];
  for (const change of changes) {
    results.push(await write(connections, change));
  }
  return results;
}
