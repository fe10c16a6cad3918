import { columns, index, integer, key, keyOf, optional, text } from '../schema/columns.js';
import type { Addition, Table } from '../schema/table.js';

/** Jobs that one process does at a time. */
const leases: Table = {
  name: 'calends_leases',
  columns: columns(keyOf(32, 'job'), key('holder'), integer('until_at')),
  primaryKey: ['job'],
};

/** Tables that this step makes. */
export const retentionTables: readonly Table[] = [leases];

/** What the tables of before get. */
export const retentionAdditions: readonly Addition[] = [
  // Null: its entries are kept.
  { table: 'calends_audit_seals', columns: optional(text('anchor')) },
];

/** The history of a notification, where its own key does not tell it (ADR 0033): nothing else finds what goes with one. */
export const historyIndex: Addition = {
  table: 'calends_delivery_events',
  columns: [],
  indices: [index('delivery_events_by_notification', ['notification_id'])],
};
