import { type DeliveryEvent, deliveryEventId, type Notification, type NotificationState } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, fieldNames, integer, text } from './fields.js';

/** What is written of a delivery event. */
export const deliveryEventFields = {
  organization_id: 'text',
  id: 'text',
  notification_id: 'text',
  number: 'integer',
  application_id: 'text',
  appointment_id: 'text',
  type: 'text',
  channel: 'text',
  status: 'text',
  happened_at: 'integer',
  scheduled_for: 'integer',
  message: 'text',
  error_message: 'text',
  provider_status: 'text',
  message_id: 'text',
  conversation_id: 'text',
  attempts: 'integer',
  poll_attempts: 'integer',
  next_poll_at: 'integer',
} as const satisfies Fields;

/** The columns of an event as {@link readDeliveryEvent} wants them, so that they stand beside those of others. */
export const deliveryEventColumns = (alias: string): string =>
  fieldNames(deliveryEventFields)
    .map((name) => `${alias}.${name} as e_${name}`)
    .join(', ');

/** The values of an event of a notification in the order of {@link deliveryEventFields}. */
export function deliveryEventValues(notification: Notification, event: DeliveryEvent): readonly SqlValue[] {
  return [
    notification.organizationId,
    deliveryEventId(notification.id, event.number),
    notification.id,
    event.number,
    notification.applicationId,
    notification.appointmentId,
    notification.type,
    notification.channel,
    event.status,
    event.timestamp,
    notification.scheduledFor ?? null,
    event.message ?? null,
    event.errorMessage ?? null,
    event.providerStatus ?? null,
    event.messageId ?? null,
    event.conversationId ?? null,
    event.attempts,
    event.pollAttempts,
    event.nextPollAt ?? null,
  ];
}

/** The event of a row, exactly as it was written; optional fields that were absent stay absent. */
export function readDeliveryEvent(row: Row): DeliveryEvent {
  const event: Draft = {
    number: integer(row, 'e_number'),
    timestamp: integer(row, 'e_happened_at'),
    status: text(row, 'e_status') as NotificationState,
    attempts: integer(row, 'e_attempts'),
    pollAttempts: integer(row, 'e_poll_attempts'),
  };
  if (row['e_message'] !== null) event.message = text(row, 'e_message');
  if (row['e_error_message'] !== null) event.errorMessage = text(row, 'e_error_message');
  if (row['e_provider_status'] !== null) event.providerStatus = text(row, 'e_provider_status');
  if (row['e_message_id'] !== null) event.messageId = text(row, 'e_message_id');
  if (row['e_conversation_id'] !== null) event.conversationId = text(row, 'e_conversation_id');
  if (row['e_next_poll_at'] !== null) event.nextPollAt = integer(row, 'e_next_poll_at');
  return event;
}

type Draft = { -readonly [Field in keyof DeliveryEvent]: DeliveryEvent[Field] };
