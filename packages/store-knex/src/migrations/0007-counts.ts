import { columns, integer, key, keyOf, serial } from '../schema/columns.js';
import type { Table } from '../schema/table.js';

/** How many appointments an application has by day (UTC) of their start and state, as far as it was added up. */
const counts: Table = {
  name: 'calends_counts',
  columns: columns(key('organization_id', 'application_id'), integer('day'), keyOf(16, 'state'), integer('amount')),
  primaryKey: ['organization_id', 'application_id', 'day', 'state'],
  clustered: true,
};

/**
 * What each commit adds or takes away, until it is added up.
 *
 * The key comes in the order of writing: one of the place, or a random one, would have each commit write a page of its own.
 */
const countChanges: Table = {
  name: 'calends_count_changes',
  columns: columns(
    serial('id'),
    key('organization_id', 'application_id'),
    integer('day'),
    keyOf(16, 'state'),
    integer('amount'),
  ),
  primaryKey: ['id'],
};

/** Tables that this step makes. */
export const countTables: readonly Table[] = [counts, countChanges];
