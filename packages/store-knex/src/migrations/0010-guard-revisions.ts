import { integer, optional } from '../schema/columns.js';
import type { Addition } from '../schema/table.js';

/**
 * What a commit depends on and leaves as it is gets a column that each such commit raises, where the database may be a cluster that
 * compares the rows that were written, and knows nothing of locks (Galera). Null = never.
 */
export const guardRevisions: readonly Addition[] = [
  { table: 'calends_appointments', columns: optional(integer('guard_revision')) },
  { table: 'calends_tickets', columns: optional(integer('guard_revision')) },
];
