import type { SqlValue } from '../../database/sql.js';
import { actorFields } from '../../rows/actor-row.js';
import { appointmentFields } from '../../rows/appointment-row.js';
import { auditFields } from '../../rows/audit-row.js';
import { customerFields } from '../../rows/customer-row.js';
import { deliveryEventFields } from '../../rows/delivery-event-row.js';
import { eventFields } from '../../rows/event-row.js';
import type { Fields } from '../../rows/fields.js';
import { notificationFields } from '../../rows/notification-row.js';
import { requestFields } from '../../commit/write-request.js';
import { ticketFields } from '../../rows/ticket-row.js';
import { type RowCount, rowCount } from './column-lists.js';

/**
 * The kinds of rows that travel to the database, in the order in which they are bound. `position` is the place
 * of the change in its batch.
 */
export const rowSets = {
  answered: { position: 'integer', at: 'integer', ...requestFields },
  created: { position: 'integer', ...appointmentFields },
  changed: { position: 'integer', expected_version: 'integer', ...appointmentFields },
  dropped: {
    position: 'integer',

    expected_version: 'integer',
    organization_id: 'text',
    id: 'text',
  },
  /** Appointments that stay as they are while the change is written, and must be live. */
  kept: { position: 'integer', organization_id: 'text', id: 'text' },
  /** Changes of no appointment. */
  loose: { position: 'integer' },
  actors: { position: 'integer', ...actorFields },
  customers: { position: 'integer', ...customerFields },
  departed: { position: 'integer', organization_id: 'text', appointment_id: 'text', participant_id: 'text' },
  events: { position: 'integer', ...eventFields },
  audit: { position: 'integer', ...auditFields },
  /** One-time passwords to be used up. */
  consumptions: { position: 'integer', organization_id: 'text', subject: 'text', challenge_id: 'text', at: 'integer' },
  /** Tickets to be issued while their key has the expected one, or none where that is null. */
  issues: { position: 'integer', expected_nonce: 'text', ...ticketFields },
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
  forfeits: { position: 'integer', organization_id: 'text', subject_id: 'text', holder_id: 'text' },
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
  additions: { position: 'integer', ...notificationFields },
  /** Notifications to be replaced while they have a revision. */
  replacements: { position: 'integer', expected_revision: 'integer', ...notificationFields },
  /** Events of new and replaced notifications. */
  deliveries: { position: 'integer', ...deliveryEventFields },
} as const satisfies Readonly<Record<string, Fields>>;

/** One of the kinds of rows. */
export type RowSet = keyof typeof rowSets;

/** Every kind of rows, in the order in which they are bound. */
export const rowSetNames = Object.keys(rowSets) as readonly RowSet[];

/** Always lists: a commit has six notifications as easily as one, and each number would be a statement of its own. */
const listed: ReadonlySet<RowSet> = new Set<RowSet>([
  'revocations',
  'forfeits',
  'cancels',
  'additions',
  'replacements',
  'deliveries',
]);

/** How a statement holds the rows of a set. */
export const countOf = (set: RowSet, rows: readonly (readonly SqlValue[])[]): RowCount =>
  listed.has(set) ? 'many' : rowCount(rows);
