import type { DomainEvent } from '@calends/core';
import type { Actor } from '@calends/core/store';
import { text } from '../sql/rows.js';
import { columnsOf, readerOf, tableOf } from './table.js';

/** How the delivery of an event begins: due at some time, or delivered already where nobody takes it. */
interface Born {
  readonly dueAt: number;
  readonly isDelivered: boolean;
}

const is = columnsOf<DomainEvent, Born>();

/** Events as they are when they happen; delivery fills the other columns. */
export const eventTable = tableOf<DomainEvent, Born>('calends_events')(
  { id: is.text('id') },
  {
    organization_id: is.text('organizationId'),
    application_id: is.text('applicationId'),
    appointment_id: is.text('appointmentId'),
    version: is.integer('version'),
    type: is.text('type'),
    occurred_at: is.integer('occurredAt'),
    actor_id: is.written('text', ({ actor }) => actor.id),
    actor_type: is.written('text', ({ actor }) => actor.type),
    actor_role: is.written('text', ({ actor }) => actor.role),
    correlation_id: is.text('correlationId'),
    payload: is.json('data'),
    due_at: is.written('integer', (_, { dueAt, isDelivered }) => (isDelivered ? null : dueAt)),
    attempts: is.written('integer', () => 0),
    delivered_at: is.written('integer', ({ occurredAt }, { isDelivered }) => (isDelivered ? occurredAt : null)),
  },
);

/** What {@link readEvent} reads of the row `e`, and what a claim counts, as columns of a statement. */
export const eventColumns = eventTable.names.map((name) => `e.${name}`).join(', ');

/** The event of a row, exactly as it was committed. */
export const readEvent = readerOf(eventTable, (part, row) => {
  const actor = { id: text(row, 'actor_id'), type: text(row, 'actor_type'), role: text(row, 'actor_role') } as Actor;
  return Object.assign(part, { actor });
});
