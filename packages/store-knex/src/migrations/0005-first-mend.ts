import { run, type Steps } from '../sql/steps.js';
import { text as textOf } from '../sql/rows.js';
import { check, columns, index, integer, key, keyOf, optional, text } from '../schema/columns.js';
import type { Addition, Table } from '../schema/table.js';

/** From which program version on may be written: each contracting step that was begun tells its own, the highest counts. */
const schemaFloor: Table = {
  name: 'calends_schema',
  columns: columns(key('step'), integer('written_from')),
  primaryKey: ['step'],
};

/** Programs that write here: their version, whether they have read events, and when they last gave a sign of life, by the database's clock. */
const processes: Table = {
  name: 'calends_processes',
  columns: columns(key('id'), integer('version', 'seen_at'), optional(integer('reads_events'))),
  primaryKey: ['id'],
};

/** The keys in use (D67): who lacks the secret of one writes nothing. */
const keys: Table = {
  name: 'calends_keys',
  columns: columns(
    integer('key_number'),
    keyOf(32, 'key_id'),
    text('check_value'),
    // Null = it signs; then null = it is not retired.
    optional(integer('quiet_since'), text('kept_audit')),
  ),
  primaryKey: ['key_number'],
  checks: [check('key_number', 'key_number >= 1')],
};

/** Tables that this step makes. */
export const mendTables: readonly Table[] = [schemaFloor, processes, keys];

/** What the tables of before get: nothing that a program of before would have to write. */
export const mendAdditions: readonly Addition[] = [
  {
    table: 'calends_appointments',
    // Null = staff (D63), as everything was before.
    columns: optional(keyOf(16, 'notification_headers_by')),
    indices: [
      // What can be activated, by what never changes (D69); applications narrow inside of the index.
      index('appointments_eligible', ['organization_id', 'state', 'id', 'application_id'], {
        where: `state = 'SCHEDULED'`,
      }),
    ],
  },
  {
    // Raised by each commit that locks the row; null = never, as everything was before.
    table: 'calends_actor_locks',
    columns: optional(integer('revision')),
  },
  // Null: no session was ever ended.
  { table: 'calends_tickets', columns: optional(integer('sessions_ended')) },
  // Null: sealed before keys had ids (D67).
  { table: 'calends_audit_seals', columns: optional(keyOf(32, 'key_id')) },
  {
    // Null = the user name is the address, or nobody knows (D62).
    table: 'calends_otp_challenges',
    columns: optional(key('sent_to')),
  },
];

/**
 * Deletes manage tickets whose appointment is gone: messages of before issued them without looking.
 *
 * They are read first: a delete that looked at the appointments itself would lock those on MariaDB and MySQL. An appointment
 * that is gone never comes back.
 */
export function* deleteOrphanTickets(): Steps<void> {
  const { rows } = yield* run(
    `select distinct t.organization_id, t.subject_id from calends_tickets t
     left join calends_appointments a on a.organization_id = t.organization_id and a.id = t.subject_id
     where t.kind = 'MANAGE' and a.id is null`,
  );
  for (const row of rows) {
    yield* run(`delete from calends_tickets where organization_id = ? and kind = 'MANAGE' and subject_id = ?`, [
      textOf(row, 'organization_id'),
      textOf(row, 'subject_id'),
    ]);
  }
}
