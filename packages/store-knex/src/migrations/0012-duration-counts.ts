import { columns, integer, key, keyOf, optional } from '../schema/columns.js';
import type { Addition, Table } from '../schema/table.js';

/** How many appointments an application has by day (UTC) of their start, state and duration, as far as it was added up. */
const durationCounts: Table = {
  name: 'calends_duration_counts',
  columns: columns(
    key('organization_id', 'application_id'),
    integer('duration', 'day'),
    keyOf(16, 'state'),
    integer('amount'),
  ),
  primaryKey: ['organization_id', 'application_id', 'duration', 'day', 'state'],
  clustered: true,
};

/** Tables that this step makes. */
export const durationCountTables: readonly Table[] = [durationCounts];

/** Null: a program of before has counted it, or a repair that finds only the sum of all durations wrong. */
export const countedDuration: Addition = {
  table: 'calends_count_changes',
  columns: optional(integer('duration')),
};
