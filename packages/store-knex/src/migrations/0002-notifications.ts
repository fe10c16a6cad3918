import { check, columns, index, integer, json, key, keyOf, optional, text } from '../schema/columns.js';
import type { Table } from '../schema/table.js';

const phases = `('READY', 'SENDING', 'RETRY_WAIT', 'SUBMITTED', 'POLLING', 'DONE')`;
const states = `('INITIALIZED', 'PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')`;
const channels = `('EMAIL', 'SMS', 'WEBHOOKS')`;

/**
 * Notifications: the documented statuses and the queue of their delivery in one (D50). `wake_at` is when the worker
 * must look at a row: due time, retry, poll, or the end of its claim.
 */
const notifications: Table = {
  name: 'calends_notifications',
  columns: columns(
    key('organization_id', 'id', 'application_id', 'appointment_id'),
    keyOf(191, 'source_event_id'),
    integer('schedule_version'),
    keyOf(64, 'type'),
    keyOf(16, 'channel', 'addressee_type'),
    key('addressee_id'),
    optional(text('addressee_label'), integer('time_offset', 'scheduled_for')),
    key('dedupe_key'),
    integer('created_at'),
    keyOf(16, 'phase', 'status'),
    optional(integer('wake_at')),
    integer(
      'revision',
      'event_count',
      'updated_at',
      'attempts',
      'manual_retries',
      'lost_claims',
      'unknown_outcomes',
      'poll_attempts',
    ),
    optional(
      integer('next_retry_at', 'next_poll_at', 'submitted_at'),
      text('provider_status', 'message_id', 'conversation_id', 'message', 'error_message'),
      integer('cancel_requested_at'),
      json('kept'),
    ),
  ),
  primaryKey: ['organization_id', 'id'],
  checks: [
    check('notification_channel', `channel in ${channels}`),
    check('notification_addressee', `addressee_type in ('CUSTOMER', 'SYSTEM')`),
    check('notification_label', `addressee_type = 'SYSTEM' or addressee_label is null`),
    check('notification_phase', `phase in ${phases}`),
    check('notification_status', `status in ${states}`),
    check('notification_done', `(phase = 'DONE') = (status in ('DELIVERED', 'FAILED', 'CANCELLED'))`),
    check('notification_initialized', `status <> 'INITIALIZED' or phase = 'READY'`),
    check('notification_asleep', `phase <> 'DONE' or wake_at is null`),
    check('notification_revision', 'revision >= 0 and event_count >= 0 and schedule_version >= 0'),
    check(
      'notification_counts',
      `attempts >= 0 and manual_retries >= 0 and lost_claims >= 0 and unknown_outcomes >= 0
        and poll_attempts >= 0`,
    ),
  ],
  indices: [
    index('notifications_once', ['organization_id', 'dedupe_key'], { unique: true }),
    // The phase lets the backlog be counted from the index alone.
    index('notifications_due', ['channel', 'wake_at', 'id', 'phase'], { where: 'wake_at is not null' }),
    index('notifications_awaited', ['phase', 'channel', 'wake_at'], { where: `wake_at is null and phase <> 'DONE'` }),
    index('notifications_by_application', ['organization_id', 'application_id', 'created_at', 'id']),
    index('notifications_by_appointment', ['organization_id', 'appointment_id']),
  ],
};

/**
 * The history of notifications. What lists filter and sort by stands here again; `status` is the one that the event
 * led to.
 */
const deliveryEvents: Table = {
  name: 'calends_delivery_events',
  columns: columns(
    key('organization_id'),
    // The notification's id, a dash and the number.
    keyOf(160, 'id'),
    key('notification_id'),
    integer('number'),
    key('application_id', 'appointment_id'),
    keyOf(64, 'type'),
    keyOf(16, 'channel', 'status'),
    integer('happened_at'),
    optional(
      integer('scheduled_for'),
      text('message', 'error_message', 'provider_status', 'message_id', 'conversation_id'),
    ),
    integer('attempts', 'poll_attempts'),
    optional(integer('next_poll_at')),
  ),
  primaryKey: ['organization_id', 'id'],
  checks: [
    check('delivery_event_status', `status in ${states}`),
    check('delivery_event_counts', 'number >= 1 and attempts >= 0 and poll_attempts >= 0'),
  ],
  indices: [index('delivery_events_by_application', ['organization_id', 'application_id', 'happened_at', 'id'])],
};

/** How deliveries to web hook endpoints go; a changed address starts again. */
const endpoints: Table = {
  name: 'calends_endpoints',
  columns: columns(
    key('organization_id', 'application_id', 'endpoint_id', 'address_hash'),
    optional(integer('failing_since', 'disabled_at'), text('reason')),
  ),
  primaryKey: ['organization_id', 'application_id', 'endpoint_id', 'address_hash'],
  clustered: true,
};

/** The tables of notifications; never changed after a release, later migrations alter them. */
export const notificationTables: readonly Table[] = [notifications, deliveryEvents, endpoints];
