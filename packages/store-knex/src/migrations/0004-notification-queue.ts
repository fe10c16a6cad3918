import { columns, index, integer, key, keyOf, optional } from '../schema/columns.js';
import type { Table } from '../schema/table.js';

/**
 * When the worker must look at which notification: one row for each that is not DONE, for databases that keep this
 * apart from the notifications (`SchemaDialect.keepsQueueApart`). Never changed after a release.
 */
export const notificationQueue: Table = {
  name: 'calends_notification_queue',
  columns: columns(
    key('organization_id', 'id'),
    keyOf(16, 'channel', 'phase'),
    optional(integer('due_at', 'held_until')),
  ),
  primaryKey: ['organization_id', 'id'],
  // Nothing that a claim changes: it writes no index then.
  indices: [index('notification_queue_due', ['channel', 'due_at', 'id'])],
};

/** What is in the tables goes there, and the indices go away that it replaces. */
export const separateQueue: readonly string[] = [
  `insert into calends_notification_queue (organization_id, id, channel, phase, due_at)
    select organization_id, id, channel, phase, wake_at from calends_notifications where phase <> 'DONE'
    on conflict (organization_id, id) do nothing`,
  'drop index if exists calends_notifications_due',
  'drop index if exists calends_notifications_awaited',
  // Room for the next state of each row on its own page: then a claim and an outcome write no index of the tables.
  'alter table calends_notifications set (fillfactor = 50)',
  'alter table calends_notification_queue set (fillfactor = 50)',
];

/** Each outcome writes its history: what lists are sorted by is the key, and spares an index beside it. */
export const historyInItsOrder: readonly string[] = [
  `alter table calends_delivery_events drop constraint if exists calends_delivery_events_pkey,
    add primary key (organization_id, application_id, happened_at, id)`,
  'drop index if exists calends_delivery_events_by_application',
];
