import { check, columns, index, integer, json, key, keyOf, optional } from '../schema/columns.js';
import type { Addition, Table } from '../schema/table.js';

/**
 * Times that are kept for somebody who is about to book: a row for each actor, and for the service and the owner, by which
 * they are counted. A row stands in the way of others until `until_at`; it is deleted some time after.
 */
const holds: Table = {
  name: 'calends_holds',
  columns: columns(
    key('organization_id', 'hold_id', 'actor_id', 'application_id', 'service_id', 'service_actor', 'owner_key'),
    json('agents', 'resources'),
    integer('start_at', 'end_at', 'busy_from', 'busy_to', 'until_at', 'blocks'),
  ),
  primaryKey: ['organization_id', 'hold_id', 'actor_id'],
  clustered: true,
  checks: [
    check('hold_schedule', 'end_at > start_at and busy_from <= start_at and busy_to >= end_at'),
    check('hold_blocks', 'blocks in (0, 1)'),
  ],
  indices: [
    // Few of an actor live at a time, wherever they lie: their ends narrow more than their starts.
    index('holds_by_actor', ['organization_id', 'actor_id', 'until_at']),
    index('holds_by_end', ['until_at', 'organization_id', 'hold_id']),
  ],
};

/** Services, hours and exceptions; what their documents say, only the core knows. */
const records: Table = {
  name: 'calends_availability',
  columns: columns(
    key('organization_id'),
    keyOf(16, 'kind'),
    key('scope_id', 'id'),
    integer('version'),
    json('document'),
    integer('updated_at'),
  ),
  primaryKey: ['organization_id', 'kind', 'scope_id', 'id'],
  checks: [check('availability_version', 'version >= 1')],
};

/** Tables that this step makes. */
export const availabilityTables: readonly Table[] = [holds, records];

/**
 * What the tables of before get: columns first, which takes a moment, and then the index, which goes through all rows.
 *
 * A column that is null says what it said before: booked without a service, and busy from start to end.
 */
export const availabilityAdditions: readonly Addition[] = [
  { table: 'calends_appointments', columns: optional(json('service')) },
  { table: 'calends_actors', columns: optional(integer('busy_from', 'busy_to'), key('service_actor')) },
  {
    table: 'calends_actors',
    columns: [],
    indices: [
      // Answers lists, guards, limits and busy times alone.
      index('actors_by_time', [
        'organization_id',
        'actor_id',
        'start_at',
        'appointment_id',
        'relations',
        'application_id',
        'state',
        'end_at',
        'blocks',
        'busy_from',
        'busy_to',
        'service_actor',
      ]),
    ],
  },
];

/** An index whose place another has taken. */
export const replacedIndex = { table: 'calends_actors', name: 'calends_actors_by_start' } as const;
