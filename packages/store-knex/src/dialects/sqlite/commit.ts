import type { CommitResult } from '@calends/core';
import type { PreparedChange } from '../../commit/prepared-change.js';
import { type WriteDialect, writeChange } from '../../commit/write-change.js';
import type { Connections } from '../../database/connections.js';
import { done, run } from '../../database/steps.js';
import { places } from '../../database/sql.js';
import { appointmentFields } from '../../rows/appointment-row.js';
import { fieldNames } from '../../rows/fields.js';
import { sqliteSql } from './sql.js';

const insertAppointment = `insert into calends_appointments (${fieldNames(appointmentFields).join(', ')})
  values (${places(fieldNames(appointmentFields).length)}) on conflict (organization_id, id) do nothing`;

const upserts = new Map<string, string>();

const sqliteWrites: WriteDialect = {
  sql: sqliteSql,
  // One writer at a time: what a transaction read stays as it is until it ends.
  locking: '',
  lockActors: () => done(undefined),
  *insertAppointment(values) {
    return (yield* run(insertAppointment, values)).affected > 0;
  },
  upsert(table, fields, key) {
    const known = upserts.get(table);
    if (known !== undefined) return known;
    const names = fieldNames(fields);
    const replaced = names.filter((name) => !key.includes(name)).map((name) => `${name} = excluded.${name}`);
    const made = `insert into ${table} (${names.join(', ')}) values (${places(names.length)})
      on conflict (${key.join(', ')}) do update set ${replaced.join(', ')}`;
    upserts.set(table, made);
    return made;
  },
};

/** Writes changes in one transaction: the disk is waited for once. */
export function commitOnSqlite(
  connections: Connections,
  changes: readonly PreparedChange[],
): Promise<readonly CommitResult[]> {
  return connections.transact(function* () {
    const results: CommitResult[] = [];
    for (const change of changes) results.push(yield* writeChange(sqliteWrites, change));
    return results;
  });
}
