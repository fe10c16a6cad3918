import { actorFields } from '../../rows/actor-row.js';
import { appointmentFields } from '../../rows/appointment-row.js';
import { auditFields } from '../../rows/audit-row.js';
import { customerFields, customerKey } from '../../rows/customer-row.js';
import { deliveryEventFields } from '../../rows/delivery-event-row.js';
import { eventFields } from '../../rows/event-row.js';
import { type Fields, fieldNames } from '../../rows/fields.js';
import { notificationFields } from '../../rows/notification-row.js';
import { nameList, type RowCount, rowSource } from './column-lists.js';
import { enqueueStep, queueReturning } from './notification-queue.js';
import { type RowSet, rowSets } from './row-sets.js';

const insertInto = (table: string, fields: Fields, set: RowSet, count: RowCount): string =>
  `insert into ${table} (${nameList(fields)})
    select ${nameList(fields)} from ${rowSource(rowSets[set], count)} as given (${nameList(rowSets[set])})`;

const replacedColumns = fieldNames(customerFields)
  .filter((name) => !customerKey.some((column) => column === name))
  .map((name) => `${name} = excluded.${name}`);

/**
 * The statement that writes a batch of new appointments: without a look whether an id or a notification's key is
 * taken, which violates a unique key and undoes the whole statement.
 */
export function insertStatement(counts: ReadonlyMap<RowSet, RowCount>): string {
  const parts = Array.from(counts, ([set, count]) => {
    switch (set) {
      case 'created':
        return `inserted as (${insertInto('calends_appointments', appointmentFields, set, count)})`;
      case 'actors':
        return `related as (${insertInto('calends_actors', actorFields, set, count)})`;
      case 'customers':
        return `profiled as (${insertInto('calends_customers', customerFields, set, count)}
          on conflict (${customerKey.join(', ')}) do update set ${replacedColumns.join(', ')})`;
      case 'additions':
        return `added as (${insertInto('calends_notifications', notificationFields, set, count)} ${queueReturning('')}),
          ${enqueueStep}`;
      case 'deliveries':
        return `delivered as (${insertInto('calends_delivery_events', deliveryEventFields, set, count)})`;
      case 'audit':
        return `audited as (${insertInto('calends_audit', auditFields, set, count)})`;
      default:
        return `announced as (${insertInto('calends_events', eventFields, set, count)})`;
    }
  });
  return `with ${parts.join(',\n')}\nselect 1 as written`;
}
