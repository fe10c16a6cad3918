import type { SqlValue } from '../../sql/sql.js';
import { actorTable } from '../../tables/actors.js';
import { appointmentTable } from '../../tables/appointments.js';
import { auditTable } from '../../tables/audit.js';
import { customerTable } from '../../tables/customers.js';
import { deliveryEventTable } from '../../tables/delivery-events.js';
import { eventTable } from '../../tables/events.js';
import type { Fields } from '../../sql/rows.js';
import { notificationTable } from '../../tables/notifications.js';
import { requestTable } from '../../tables/requests.js';
import { ticketTable } from '../../tables/tickets.js';
import { type RowCount, rowCount } from './column-lists.js';

/**
 * The kinds of rows that travel to the database, in the order in which they are bound. `position` is the place
 * of the change in its batch.
 */
export const rowSets = {
  answered: { position: 'integer', at: 'integer', ...requestTable.fields },
  created: { position: 'integer', ...appointmentTable.fields },
  changed: { position: 'integer', expected_version: 'integer', ...appointmentTable.fields },
  dropped: {
    position: 'integer',

    expected_version: 'integer',
    organization_id: 'text',
    id: 'text',
  },
  /** Appointments that stay as they are while the change is written, and must be live. */
  kept: { position: 'integer', organization_id: 'text', id: 'text' },
  /** Changes of no appointment. */
  without_appointment: { position: 'integer' },
  actors: { position: 'integer', ...actorTable.fields },
  customers: { position: 'integer', ...customerTable.fields },
  removed_participants: {
    position: 'integer',
    organization_id: 'text',
    appointment_id: 'text',
    participant_id: 'text',
  },
  events: { position: 'integer', ...eventTable.fields },
  audit: { position: 'integer', ...auditTable.fields },
  /** One-time passwords to be used up. */
  consumptions: { position: 'integer', organization_id: 'text', subject: 'text', challenge_id: 'text', at: 'integer' },
  /** Tickets to be issued while their key has the expected one, or none where that is null. */
  issues: { position: 'integer', expected_nonce: 'text', ...ticketTable.fields },
  /** Tickets to be revoked; without a holder those of all. */
  revocations: {
    position: 'integer',
    number: 'integer',
    organization_id: 'text',
    kind: 'text',
    subject_id: 'text',
    holder_id: 'text',
    at: 'integer',
  },
  /** Manage tickets that go with their participants. */
  dropped_tickets: { position: 'integer', organization_id: 'text', subject_id: 'text', holder_id: 'text' },
  /** Cancellations of notifications; `types` and `channels` with a blank between them. */
  cancels: {
    position: 'integer',
    number: 'integer',
    organization_id: 'text',
    appointment_id: 'text',
    types: 'text',
    channels: 'text',
    addressee_id: 'text',
    message: 'text',
    message_if_taken: 'text',
    at: 'integer',
  },
  /** New notifications. */
  additions: { position: 'integer', ...notificationTable.fields },
  /** Notifications to be replaced while they have a revision. */
  replacements: { position: 'integer', expected_revision: 'integer', ...notificationTable.fields },
  /** Events of new and replaced notifications. */
  deliveries: { position: 'integer', ...deliveryEventTable.fields },
} as const satisfies Readonly<Record<string, Fields>>;

/** One of the kinds of rows. */
export type RowSet = keyof typeof rowSets;

/** Every kind of rows, in the order in which they are bound. */
export const rowSetNames = Object.keys(rowSets) as readonly RowSet[];

/** Always lists: a commit has six notifications as easily as one, and each number would be a statement of its own. */
const listed: ReadonlySet<RowSet> = new Set<RowSet>([
  'revocations',
  'dropped_tickets',
  'cancels',
  'additions',
  'replacements',
  'deliveries',
]);

/** How a statement holds the rows of a set. */
export const countOf = (set: RowSet, rows: readonly (readonly SqlValue[])[]): RowCount =>
  listed.has(set) ? 'many' : rowCount(rows);
