import { type DeliveryEvent, deliveryEventId, type Notification } from '@calends/core/store';
import { columnsOf, readerOf, tableOf } from './table.js';

const is = columnsOf<DeliveryEvent, Notification>();

/** Events of notifications, with what they repeat of them. */
export const deliveryEventTable = tableOf<DeliveryEvent, Notification>('calends_delivery_events', 'e_')(
  {
    organization_id: is.written('text', (_, { organizationId }) => organizationId),
    id: is.written('text', ({ number }, { id }) => deliveryEventId(id, number)),
  },
  {
    notification_id: is.written('text', (_, { id }) => id),
    number: is.integer('number'),
    application_id: is.written('text', (_, { applicationId }) => applicationId),
    appointment_id: is.written('text', (_, { appointmentId }) => appointmentId),
    type: is.written('text', (_, { type }) => type),
    channel: is.written('text', (_, { channel }) => channel),
    status: is.text('status'),
    happened_at: is.integer('timestamp'),
    scheduled_for: is.written('integer', (_, { scheduledFor }) => scheduledFor),
    message: is.optionalText('message'),
    error_message: is.optionalText('errorMessage'),
    provider_status: is.optionalText('providerStatus'),
    message_id: is.optionalText('messageId'),
    conversation_id: is.optionalText('conversationId'),
    attempts: is.integer('attempts'),
    poll_attempts: is.integer('pollAttempts'),
    next_poll_at: is.optionalInteger('nextPollAt'),
  },
);

/** The event of a row, exactly as it was written. */
export const readDeliveryEvent = readerOf(deliveryEventTable);
