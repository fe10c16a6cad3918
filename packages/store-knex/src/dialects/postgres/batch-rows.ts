import { appointmentIdOf, type PreparedChange } from '../../commit/prepared-change.js';
import type { SqlValue } from '../../database/sql.js';
import { type RowSet, rowSetNames } from './commit-statement.js';

/** Rows of a batch by kind. */
export type BatchRows = Readonly<Record<RowSet, (readonly SqlValue[])[]>>;

function addRows(rows: BatchRows, prepared: PreparedChange, position: number): void {
  const { change, appointment: values = [], actors, customers, removedCustomers, events } = prepared;
  const { appointment, request } = change;
  const asks = request === undefined ? 0 : 1;
  switch (appointment?.kind) {
    case undefined:
      rows.loose.push([position, asks]);
      break;
    case 'insert':
      rows.created.push([position, asks, ...values]);
      break;
    case 'update':
      rows.changed.push([position, asks, appointment.expectedVersion, ...values]);
      break;
    case 'remove':
      rows.dropped.push([
        position,
        asks,
        appointment.expectedVersion,
        change.organizationId,
        appointment.appointmentId,
      ]);
  }
  const appointmentId = appointmentIdOf(change);
  if (appointmentId !== undefined) {
    for (const id of removedCustomers) rows.departed.push([position, change.organizationId, appointmentId, id]);
  }
  for (const actor of actors) rows.actors.push([position, ...actor]);
  for (const customer of customers) rows.customers.push([position, ...customer]);
  for (const event of events) rows.events.push([position, ...event]);
  if (request !== undefined) {
    const { organizationId, callerId, operation, key, token, answer } = request;
    rows.answered.push([position, organizationId, callerId, operation, key, token, answer]);
  }
}

/** The rows of changes by kind, each with the place of its change. */
export function rowsOf(changes: readonly PreparedChange[]): BatchRows {
  const rows = Object.fromEntries(rowSetNames.map((set) => [set, []])) as unknown as BatchRows;
  for (const [position, prepared] of changes.entries()) addRows(rows, prepared, position);
  return rows;
}
