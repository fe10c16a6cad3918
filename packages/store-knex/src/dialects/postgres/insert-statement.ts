import { actorTable } from '../../tables/actors.js';
import { appointmentTable } from '../../tables/appointments.js';
import { auditTable } from '../../tables/audit.js';
import { customerTable } from '../../tables/customers.js';
import { deliveryEventTable } from '../../tables/delivery-events.js';
import { eventTable } from '../../tables/events.js';
import { type Fields } from '../../sql/rows.js';
import { notificationTable } from '../../tables/notifications.js';
import { nameList, type RowCount, rowSource } from './column-lists.js';
import { enqueueStep, queueReturning } from './notification-queue.js';
import { type RowSet, rowSets } from './row-sets.js';

const insertInto = (table: string, fields: Fields, set: RowSet, count: RowCount): string =>
  `insert into ${table} (${nameList(fields)})
    select ${nameList(fields)} from ${rowSource(rowSets[set], count)} as given (${nameList(rowSets[set])})`;

const replacedColumns = customerTable.names
  .filter((name) => !customerTable.key.some((column) => column === name))
  .map((name) => `${name} = excluded.${name}`);

/**
 * The statement that writes a batch of new appointments: without a look whether an id or a notification's key is
 * taken, which violates a unique key and undoes the whole statement.
 */
export function insertStatement(counts: ReadonlyMap<RowSet, RowCount>): string {
  const parts = Array.from(counts, ([set, count]) => {
    switch (set) {
      case 'created':
        return `inserted as (${insertInto('calends_appointments', appointmentTable.fields, set, count)})`;
      case 'actors':
        return `upserted_actors as (${insertInto('calends_actors', actorTable.fields, set, count)})`;
      case 'customers':
        return `upserted_customers as (${insertInto('calends_customers', customerTable.fields, set, count)}
          on conflict (${customerTable.key.join(', ')}) do update set ${replacedColumns.join(', ')})`;
      case 'additions':
        return `added as (${insertInto('calends_notifications', notificationTable.fields, set, count)} ${queueReturning('')}),
          ${enqueueStep}`;
      case 'deliveries':
        return `delivered as (${insertInto('calends_delivery_events', deliveryEventTable.fields, set, count)})`;
      case 'audit':
        return `inserted_audit as (${insertInto('calends_audit', auditTable.fields, set, count)})`;
      default:
        return `inserted_events as (${insertInto('calends_events', eventTable.fields, set, count)})`;
    }
  });
  return `with ${parts.join(',\n')}\nselect 1 as written`;
}
