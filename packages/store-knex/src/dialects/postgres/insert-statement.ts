import { actorFields } from '../../rows/actor-row.js';
import { appointmentFields } from '../../rows/appointment-row.js';
import { customerFields, customerKey } from '../../rows/customer-row.js';
import { eventFields } from '../../rows/event-row.js';
import { type Fields, fieldNames } from '../../rows/fields.js';
import { nameList, type RowCount, rowSource } from './column-lists.js';
import { type RowSet, rowSets } from './commit-statement.js';

const insertInto = (table: string, fields: Fields, set: RowSet, count: RowCount): string =>
  `insert into ${table} (${nameList(fields)})
    select ${nameList(fields)} from ${rowSource(rowSets[set], count)} as given (${nameList(rowSets[set])})`;

const replacedColumns = fieldNames(customerFields)
  .filter((name) => !customerKey.some((column) => column === name))
  .map((name) => `${name} = excluded.${name}`);

/**
 * The statement that writes a batch of new appointments: without a look whether an id is taken, which is a
 * violation of the primary key and undoes the whole statement.
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
      default:
        return `announced as (${insertInto('calends_events', eventFields, set, count)})`;
    }
  });
  return `with ${parts.join(',\n')}\nselect 1 as written`;
}
