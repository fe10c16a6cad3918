import type {
  Addressee,
  DeliveryPhase,
  Notification,
  NotificationChannel,
  NotificationState,
  NotificationType,
} from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, fieldNames, integer, optionalInteger, optionalText, text } from './fields.js';

/** What a notification keeps for good. */
const fixedFields = {
  organization_id: 'text',
  id: 'text',
  application_id: 'text',
  appointment_id: 'text',
  source_event_id: 'text',
  schedule_version: 'integer',
  type: 'text',
  channel: 'text',
  addressee_type: 'text',
  addressee_id: 'text',
  addressee_label: 'text',
  time_offset: 'integer',
  scheduled_for: 'integer',
  dedupe_key: 'text',
  created_at: 'integer',
} as const satisfies Fields;

/** What delivery changes of a notification. */
export const deliveryFields = {
  phase: 'text',
  status: 'text',
  wake_at: 'integer',
  revision: 'integer',
  event_count: 'integer',
  updated_at: 'integer',
  attempts: 'integer',
  manual_retries: 'integer',
  lost_claims: 'integer',
  unknown_outcomes: 'integer',
  poll_attempts: 'integer',
  next_retry_at: 'integer',
  next_poll_at: 'integer',
  submitted_at: 'integer',
  provider_status: 'text',
  message_id: 'text',
  conversation_id: 'text',
  message: 'text',
  error_message: 'text',
  cancel_requested_at: 'integer',
  kept: 'text',
} as const satisfies Fields;

/** What is written of a notification. */
export const notificationFields = { ...fixedFields, ...deliveryFields } as const satisfies Fields;

/** Columns by which a notification is known. */
export const notificationKey = ['organization_id', 'id'] as const;

/** The columns of a notification as {@link readNotification} wants them, so that they stand beside those of others. */
export const notificationColumns = (alias: string): string =>
  fieldNames(notificationFields)
    .map((name) => `${alias}.${name} as n_${name}`)
    .join(', ');

/** What delivery changes of a notification, in the order of {@link deliveryFields}. */
export const deliveryValues = (notification: Notification): readonly SqlValue[] => [
  notification.phase,
  notification.status,
  notification.wakeAt,
  notification.revision,
  notification.eventCount,
  notification.updatedAt,
  notification.attempts,
  notification.manualRetries,
  notification.lostClaims,
  notification.unknownOutcomes,
  notification.pollAttempts,
  notification.nextRetryAt ?? null,
  notification.nextPollAt ?? null,
  notification.submittedAt ?? null,
  notification.providerStatus ?? null,
  notification.messageId ?? null,
  notification.conversationId ?? null,
  notification.message ?? null,
  notification.errorMessage ?? null,
  notification.cancelRequestedAt ?? null,
  notification.kept ?? null,
];

/** The values of a notification in the order of {@link notificationFields}. */
export function notificationValues(notification: Notification): readonly SqlValue[] {
  const { addressee } = notification;
  return [
    notification.organizationId,
    notification.id,
    notification.applicationId,
    notification.appointmentId,
    notification.sourceEventId,
    notification.scheduleVersion,
    notification.type,
    notification.channel,
    addressee.type,
    addressee.id,
    addressee.label ?? null,
    notification.offset ?? null,
    notification.scheduledFor ?? null,
    notification.dedupeKey,
    notification.createdAt,
    ...deliveryValues(notification),
  ];
}

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
