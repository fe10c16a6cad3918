import type { Appointment } from '@calends/core';
import {
  type Addressee,
  type CustomerProfile,
  type DeliveryEvent,
  deliveryEventId,
  type DeliveryPhase,
  type ListedNotification,
  type Notification,
  type NotificationChannel,
  type NotificationState,
  type NotificationType,
  type NotificationUpdate,
  type NotificationWrite,
  StoreError,
} from '@calends/core/store';
import { integer, optionalInteger, optionalText, type Row, text } from '../sql/rows.js';
import { appointmentColumns, readAppointment } from './appointments.js';
import { customerTable, readCustomer } from './people.js';
import { columnsOf, readerOf, tableOf } from './table.js';
import type { SqlValue } from '../sql/sql.js';

const is = columnsOf<Notification>();

const keyColumns = { organization_id: is.text('organizationId'), id: is.text('id') };

const deliveryColumns = {
  phase: is.text('phase'),
  status: is.text('status'),
  wake_at: is.nullableInteger('wakeAt'),
  revision: is.integer('revision'),
  event_count: is.integer('eventCount'),
  updated_at: is.integer('updatedAt'),
  attempts: is.integer('attempts'),
  manual_retries: is.integer('manualRetries'),
  lost_claims: is.integer('lostClaims'),
  unknown_outcomes: is.integer('unknownOutcomes'),
  poll_attempts: is.integer('pollAttempts'),
  next_retry_at: is.optionalInteger('nextRetryAt'),
  next_poll_at: is.optionalInteger('nextPollAt'),
  submitted_at: is.optionalInteger('submittedAt'),
  provider_status: is.optionalText('providerStatus'),
  message_id: is.optionalText('messageId'),
  conversation_id: is.optionalText('conversationId'),
  message: is.optionalText('message'),
  error_message: is.optionalText('errorMessage'),
  cancel_requested_at: is.optionalInteger('cancelRequestedAt'),
  kept: is.optionalText('kept'),
};

export const notificationTable = tableOf<Notification>('calends_notifications', 'n_')(keyColumns, {
  application_id: is.text('applicationId'),
  appointment_id: is.text('appointmentId'),
  source_event_id: is.text('sourceEventId'),
  schedule_version: is.integer('scheduleVersion'),
  type: is.text('type'),
  channel: is.text('channel'),
  addressee_type: is.written('text', ({ addressee }) => addressee.type),
  addressee_id: is.written('text', ({ addressee }) => addressee.id),
  addressee_label: is.written('text', ({ addressee }) => addressee.label),
  time_offset: is.optionalInteger('offset'),
  scheduled_for: is.optionalInteger('scheduledFor'),
  dedupe_key: is.text('dedupeKey'),
  created_at: is.integer('createdAt'),
  ...deliveryColumns,
});

/** What delivery changes of a notification. */
export const deliveryTable = tableOf<Notification>('calends_notifications')(keyColumns, deliveryColumns);

/** The notification of a row, exactly as it was written; optional fields that were absent stay absent. */
export function readNotification(row: Row): Notification {
  const notification: Draft = {
    id: text(row, 'n_id'),
    organizationId: text(row, 'n_organization_id'),
    applicationId: text(row, 'n_application_id'),
    appointmentId: text(row, 'n_appointment_id'),
    sourceEventId: text(row, 'n_source_event_id'),
    scheduleVersion: integer(row, 'n_schedule_version'),
    type: text(row, 'n_type') as NotificationType,
    channel: text(row, 'n_channel') as NotificationChannel,
    addressee: readAddressee(row),
    dedupeKey: text(row, 'n_dedupe_key'),
    createdAt: integer(row, 'n_created_at'),
    phase: text(row, 'n_phase') as DeliveryPhase,
    status: text(row, 'n_status') as NotificationState,
    wakeAt: optionalInteger(row, 'n_wake_at') ?? null,
    revision: integer(row, 'n_revision'),
    eventCount: integer(row, 'n_event_count'),
    updatedAt: integer(row, 'n_updated_at'),
    attempts: integer(row, 'n_attempts'),
    manualRetries: integer(row, 'n_manual_retries'),
    lostClaims: integer(row, 'n_lost_claims'),
    unknownOutcomes: integer(row, 'n_unknown_outcomes'),
    pollAttempts: integer(row, 'n_poll_attempts'),
  };
  // One by one, to the same object: spreading what is there would copy every notification that is read.
  if (row['n_time_offset'] !== null) notification.offset = integer(row, 'n_time_offset');
  if (row['n_scheduled_for'] !== null) notification.scheduledFor = integer(row, 'n_scheduled_for');
  if (row['n_next_retry_at'] !== null) notification.nextRetryAt = integer(row, 'n_next_retry_at');
  if (row['n_next_poll_at'] !== null) notification.nextPollAt = integer(row, 'n_next_poll_at');
  if (row['n_submitted_at'] !== null) notification.submittedAt = integer(row, 'n_submitted_at');
  if (row['n_provider_status'] !== null) notification.providerStatus = text(row, 'n_provider_status');
  if (row['n_message_id'] !== null) notification.messageId = text(row, 'n_message_id');
  if (row['n_conversation_id'] !== null) notification.conversationId = text(row, 'n_conversation_id');
  if (row['n_message'] !== null) notification.message = text(row, 'n_message');
  if (row['n_error_message'] !== null) notification.errorMessage = text(row, 'n_error_message');
  if (row['n_cancel_requested_at'] !== null) notification.cancelRequestedAt = integer(row, 'n_cancel_requested_at');
  if (row['n_kept'] !== null) notification.kept = text(row, 'n_kept');
  return notification;
}

function readAddressee(row: Row): Addressee {
  const [type, id] = [text(row, 'n_addressee_type') as Addressee['type'], text(row, 'n_addressee_id')];
  const label = optionalText(row, 'n_addressee_label');
  return label === undefined ? { type, id } : { type, id, label };
}

type Draft = { -readonly [Field in keyof Notification]: Notification[Field] };

const ofEvent = columnsOf<DeliveryEvent, Notification>();

/** Events of notifications, with what they repeat of them. */
export const deliveryEventTable = tableOf<DeliveryEvent, Notification>('calends_delivery_events', 'e_')(
  {
    organization_id: ofEvent.written('text', (_, { organizationId }) => organizationId),
    id: ofEvent.written('text', ({ number }, { id }) => deliveryEventId(id, number)),
  },
  {
    notification_id: ofEvent.written('text', (_, { id }) => id),
    number: ofEvent.integer('number'),
    application_id: ofEvent.written('text', (_, { applicationId }) => applicationId),
    appointment_id: ofEvent.written('text', (_, { appointmentId }) => appointmentId),
    type: ofEvent.written('text', (_, { type }) => type),
    channel: ofEvent.written('text', (_, { channel }) => channel),
    status: ofEvent.text('status'),
    happened_at: ofEvent.integer('timestamp'),
    scheduled_for: ofEvent.written('integer', (_, { scheduledFor }) => scheduledFor),
    message: ofEvent.optionalText('message'),
    error_message: ofEvent.optionalText('errorMessage'),
    provider_status: ofEvent.optionalText('providerStatus'),
    message_id: ofEvent.optionalText('messageId'),
    conversation_id: ofEvent.optionalText('conversationId'),
    attempts: ofEvent.integer('attempts'),
    poll_attempts: ofEvent.integer('pollAttempts'),
    next_poll_at: ofEvent.optionalInteger('nextPollAt'),
  },
);

/** The event of a row, exactly as it was written. */
export const readDeliveryEvent = readerOf(deliveryEventTable);

/** The rows of a notification's further events. */
export const eventRows = ({ next, events }: NotificationWrite): readonly (readonly SqlValue[])[] =>
  events.map((event) => deliveryEventTable.values(event, next));

/** @throws StoreError `unexpected` when an update does not number the revision on */
export function checkUpdate({ next, expectedRevision }: NotificationUpdate): void {
  if (next.revision !== expectedRevision + 1) {
    throw new StoreError('unexpected', 'A notification is changed without numbering its revision on.');
  }
}

/** @throws StoreError `unexpected` also when two updates are of one notification */
export function checkUpdates(updates: readonly NotificationUpdate[]): void {
  const names = new Set(updates.map(({ next }) => `${next.organizationId}\u0000${next.id}`));
  if (names.size < updates.length) {
    throw new StoreError('unexpected', 'Several outcomes of one notification in one call.');
  }
  updates.forEach(checkUpdate);
}

/** A notification `n` and its addressed customer `c`. */
export const notificationAndCustomer = `${notificationTable.as('n')}, ${customerTable.as('c')}`;

/** A notification `n` with its appointment `a` and the addressed customer `c`; the appointment under its own names. */
export const notificationParts = `${notificationAndCustomer}, ${appointmentColumns}`;

/** Joins the profile of the addressed customer; for other addressees no database looks for one. */
export const withCustomer = `left join calends_customers c
  on c.organization_id = n.organization_id and c.appointment_id = n.appointment_id
    and c.participant_id = case when n.addressee_type = 'CUSTOMER' then n.addressee_id end`;

/** Joins the appointment and the profile of the addressed customer, where they are. */
export const withAppointmentAndCustomer = `left join calends_appointments a
  on a.organization_id = n.organization_id and a.id = n.appointment_id
  ${withCustomer}`;

/** The appointment of a joined row, if there is one. */
export const joinedAppointment = (row: Row): Appointment | undefined =>
  row['id'] === null ? undefined : readAppointment(row);

/** The profile of a joined row, if there is one. */
export const joinedCustomer = (row: Row): CustomerProfile | undefined =>
  row['c_participant_id'] === null ? undefined : readCustomer(row);

/** A notification with its appointment and customer. */
export const readListed = (row: Row): ListedNotification => ({
  notification: readNotification(row),
  appointment: joinedAppointment(row),
  customer: joinedCustomer(row),
});
