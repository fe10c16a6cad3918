import type {
  Addressee,
  DeliveryPhase,
  Notification,
  NotificationChannel,
  NotificationState,
  NotificationType,
} from '@calends/core/store';
import { integer, optionalInteger, optionalText, type Row, text } from '../sql/rows.js';
import { columnsOf, tableOf } from './table.js';

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
