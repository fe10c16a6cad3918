import { appointmentIdOf, type PreparedChange } from '../../commit/prepared-change.js';
import type { PreparedNotifications } from '../../commit/prepared-notifications.js';
import type { PreparedProofs } from '../../commit/prepared-proofs.js';
import { requestTable } from '../../tables/requests.js';
import type { SqlValue } from '../../sql/sql.js';
import { type RowSet, rowSetNames } from './row-sets.js';

/** Rows of a batch by kind. */
export type BatchRows = Readonly<Record<RowSet, (readonly SqlValue[])[]>>;

/** Alternatives in one text: none of them holds a blank. */
const alternatives = (values: readonly string[] | undefined): string | null => values?.join(' ') ?? null;

function addNotificationRows(
  rows: BatchRows,
  { cancel, add, update }: PreparedNotifications,
  organizationId: string,
  position: number,
): void {
  for (const [number, each] of cancel.entries()) {
    const { appointmentId, types, channels, addresseeId = null, message, messageIfTaken = null, at } = each;
    const chosen = [alternatives(types), alternatives(channels), addresseeId];
    rows.cancels.push([position, number, organizationId, appointmentId, ...chosen, message, messageIfTaken, at]);
  }
  const keys = new Set<string>();
  for (const { dedupeKey, values, events } of add) {
    // The first of several with one key counts, and one statement writes rows in no certain order.
    if (keys.has(dedupeKey)) continue;
    keys.add(dedupeKey);
    rows.additions.push([position, ...values]);
    for (const event of events) rows.deliveries.push([position, ...event]);
  }
  if (update === undefined) return;
  // Looked for in the organization of the change, whatever the notification says.
  rows.replacements.push([position, update.expectedRevision, organizationId, ...update.values.slice(1)]);
  for (const event of update.events) rows.deliveries.push([position, ...event]);
}

function addProofRows(
  rows: BatchRows,
  { otp, ticket, revocations, forfeits }: PreparedProofs,
  { change }: PreparedChange,
  position: number,
): void {
  const { organizationId, appointment } = change;
  if (otp !== undefined) rows.consumptions.push([position, organizationId, otp.subject, otp.challengeId, otp.at]);
  if (ticket !== undefined) rows.issues.push([position, ticket.expectedNonce, ...ticket.values]);
  const appointmentId = appointmentIdOf(change);
  for (const [number, { kind, subjectId, holderIds = [null], at }] of revocations.entries()) {
    // They go with the appointment.
    if (appointment?.kind === 'remove' && kind === 'MANAGE' && subjectId === appointmentId) continue;
    for (const holderId of holderIds) {
      rows.revocations.push([position, number, organizationId, kind, subjectId, holderId, at]);
    }
  }
  if (appointmentId === undefined || appointment?.kind === 'remove') return;
  for (const holderId of forfeits) rows.dropped_tickets.push([position, organizationId, appointmentId, holderId]);
}

function addRows(rows: BatchRows, prepared: PreparedChange, position: number): void {
  const { change, appointment: values = [], actors, customers, removedCustomers, events } = prepared;
  const { appointment, request } = change;
  switch (appointment?.kind) {
    case undefined:
      rows.without_appointment.push([position]);
      break;
    case 'keep':
      rows.kept.push([position, change.organizationId, appointment.appointmentId]);
      break;
    case 'insert':
      rows.created.push([position, ...values]);
      break;
    case 'update':
      rows.changed.push([position, appointment.expectedVersion, ...values]);
      break;
    case 'remove':
      rows.dropped.push([position, appointment.expectedVersion, change.organizationId, appointment.appointmentId]);
  }
  const appointmentId = appointmentIdOf(change);
  if (appointmentId !== undefined) {
    for (const id of removedCustomers)
      rows.removed_participants.push([position, change.organizationId, appointmentId, id]);
  }
  for (const actor of actors) rows.actors.push([position, ...actor]);
  for (const customer of customers) rows.customers.push([position, ...customer]);
  for (const event of events) rows.events.push([position, ...event]);
  for (const entry of prepared.audit) rows.audit.push([position, ...entry]);
  if (prepared.proofs !== undefined) addProofRows(rows, prepared.proofs, prepared, position);
  if (request !== undefined) rows.answered.push([position, request.at, ...requestTable.values(request)]);
  if (prepared.notifications !== undefined) {
    addNotificationRows(rows, prepared.notifications, change.organizationId, position);
  }
}

/** The rows of changes by kind, each with the place of its change. */
export function rowsOf(changes: readonly PreparedChange[]): BatchRows {
  const rows = Object.fromEntries(rowSetNames.map((set) => [set, []])) as unknown as BatchRows;
  for (const [position, prepared] of changes.entries()) addRows(rows, prepared, position);
  return rows;
}
