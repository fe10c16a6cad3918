import type { Actor, DomainEvent, DomainEventData, DomainEventType } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, json, text } from './fields.js';

/** What is written of an event when it happens; delivery fills the other columns. */
export const eventFields = {
  id: 'text',
  organization_id: 'text',
  application_id: 'text',
  appointment_id: 'text',
  version: 'integer',
  type: 'text',
  occurred_at: 'integer',
  actor_id: 'text',
  actor_type: 'text',
  actor_role: 'text',
  correlation_id: 'text',
  payload: 'text',
  due_at: 'integer',
  attempts: 'integer',
  delivered_at: 'integer',
} as const satisfies Fields;

/**
 * The values of an event in the order of {@link eventFields}: due at once, never attempted; delivered already where
 * nobody takes it.
 */
export function eventValues(event: DomainEvent, dueAt = event.occurredAt, isDelivered = false): readonly SqlValue[] {
  return [
    event.id,
    event.organizationId,
    event.applicationId,
    event.appointmentId,
    event.version,
    event.type,
    event.occurredAt,
    event.actor.id,
    event.actor.type,
    event.actor.role,
    event.correlationId,
    JSON.stringify(event.data),
    isDelivered ? null : dueAt,
    0,
    isDelivered ? event.occurredAt : null,
  ];
}

/** The event of a row, exactly as it was committed. */
export function readEvent(row: Row): DomainEvent {
  return {
    id: text(row, 'id'),
    type: text(row, 'type') as DomainEventType,
    occurredAt: integer(row, 'occurred_at'),
    organizationId: text(row, 'organization_id'),
    applicationId: text(row, 'application_id'),
    appointmentId: text(row, 'appointment_id'),
    version: integer(row, 'version'),
    actor: {
      id: text(row, 'actor_id'),
      type: text(row, 'actor_type'),
      role: text(row, 'actor_role'),
    } as Actor,
    correlationId: text(row, 'correlation_id'),
    data: json(row, 'payload') as DomainEventData,
  };
}
