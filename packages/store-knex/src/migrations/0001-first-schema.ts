import { check, columns, index, integer, json, key, keyOf, optional, text } from '../schema/columns.js';
import type { Table } from '../schema/table.js';

/** Instants lie in the years 1970 to 9999 (D3). */
const lastInstant = 253_402_300_799_999;

const states = `('SCHEDULED', 'ACTIVATED', 'CANCELLED', 'ABORTED')`;

/** Appointments; the checks are the states of D13 to D17 as the domain's types have them. */
const appointments: Table = {
  name: 'calends_appointments',
  columns: columns(
    key('organization_id', 'id', 'application_id'),
    integer('version', 'schedule_version'),
    keyOf(16, 'state'),
    text('title', 'notes'),
    json('metadata'),
    keyOf(64, 'locale'),
    integer('start_at', 'end_at', 'duration'),
    key('timezone'),
    json('notification_headers'),
    integer('notifications_active'),
    json('organizer', 'participants'),
    optional(json('target_assignment')),
    json('interaction'),
    integer('customer_reschedules', 'created_at', 'updated_at'),
    optional(
      integer('activated_at'),
      text('conference_id', 'room_url'),
      integer('cancelled_at'),
      text('cancelled_by', 'cancel_reason'),
      integer('aborted_at'),
      text('abort_reason'),
      integer('wake_at'),
    ),
  ),
  primaryKey: ['organization_id', 'id'],
  checks: [
    check('appointment_state', `state in ${states}`),
    check('appointment_version', 'version >= 1 and schedule_version >= 0'),
    check('appointment_schedule', `start_at >= 0 and end_at > start_at and end_at <= ${lastInstant}`),
    check('appointment_duration', 'duration = end_at - start_at'),
    check('appointment_counts', 'customer_reschedules >= 0 and notifications_active in (0, 1)'),
    check('appointment_activated', `(state = 'ACTIVATED') = (activated_at is not null)`),
    check(
      'appointment_access',
      `(conference_id is null) = (room_url is null)
        and (state <> 'ACTIVATED' or room_url is not null) and (state <> 'SCHEDULED' or room_url is null)`,
    ),
    check(
      'appointment_cancelled',
      `(state = 'CANCELLED') = (cancelled_at is not null) and (state = 'CANCELLED') = (cancelled_by is not null)
        and (state = 'CANCELLED' or cancel_reason is null)`,
    ),
    check(
      'appointment_aborted',
      `(state = 'ABORTED') = (aborted_at is not null) and (state = 'ABORTED') = (abort_reason is not null)`,
    ),
  ],
  indices: [
    // State and end let counts and totals be answered from the index alone.
    index('appointments_by_application', ['organization_id', 'application_id', 'start_at', 'id', 'state', 'end_at']),
    index('appointments_by_start', ['organization_id', 'start_at', 'id']),
    index('appointments_scheduled', ['organization_id', 'state', 'start_at', 'id'], { where: `state = 'SCHEDULED'` }),
    index('appointments_due', ['wake_at', 'organization_id', 'id'], { where: 'wake_at is not null' }),
  ],
};

/**
 * Who has which appointment: one row per appointment and actor, however the actor is related to it.
 *
 * `relations` adds 1 for the organizer, 2 for an assigned agent, 4 for a customer by identity. What filters and
 * sorts lists and what the overlap guard asks stands here again, so that neither reads the appointments.
 */
const actors: Table = {
  name: 'calends_actors',
  columns: columns(
    key('organization_id', 'appointment_id', 'actor_id'),
    integer('relations'),
    key('application_id'),
    integer('start_at', 'end_at'),
    keyOf(16, 'state'),
    integer('blocks'),
  ),
  primaryKey: ['organization_id', 'appointment_id', 'actor_id'],
  clustered: true,
  checks: [
    check('actor_relations', 'relations between 1 and 7'),
    check('actor_state', `state in ${states}`),
    check('actor_schedule', 'end_at > start_at'),
    check('actor_blocks', `blocks = 0 or (blocks = 1 and state in ('SCHEDULED', 'ACTIVATED'))`),
  ],
  indices: [
    index('actors_by_start', [
      'organization_id',
      'actor_id',
      'start_at',
      'appointment_id',
      'relations',
      'application_id',
      'state',
      'end_at',
      'blocks',
    ]),
  ],
};

/** Personal data of customers, apart from everything else (decisions, Across all). */
const customers: Table = {
  name: 'calends_customers',
  columns: columns(
    key('organization_id', 'appointment_id', 'participant_id'),
    optional(text('username', 'primary_email', 'primary_phone', 'first_name', 'last_name')),
    json('metadata'),
  ),
  primaryKey: ['organization_id', 'appointment_id', 'participant_id'],
  clustered: true,
};

/**
 * The outbox (D48). `due_at` is when an event may be claimed: null once it was delivered or parked, the end of
 * the lease while it is claimed.
 */
const events: Table = {
  name: 'calends_events',
  columns: columns(
    keyOf(191, 'id'),
    key('organization_id', 'application_id', 'appointment_id'),
    integer('version'),
    keyOf(64, 'type'),
    integer('occurred_at'),
    text('actor_id'),
    keyOf(16, 'actor_type'),
    keyOf(32, 'actor_role'),
    text('correlation_id'),
    json('payload'),
    optional(integer('due_at'), keyOf(64, 'claim_token')),
    integer('attempts'),
    optional(integer('delivered_at', 'parked_at')),
  ),
  primaryKey: ['id'],
  checks: [
    check('event_settled', '(due_at is null) = (delivered_at is not null or parked_at is not null)'),
    check('event_attempts', 'attempts >= 0 and version >= 1'),
  ],
  indices: [
    index('events_by_appointment', ['organization_id', 'appointment_id', 'version', 'id']),
    index('events_due', ['due_at', 'id'], { where: 'due_at is not null' }),
    index('events_delivered', ['delivered_at'], { where: 'delivered_at is not null' }),
  ],
};

/** Requests that must take effect once (decisions, Across all). */
const requests: Table = {
  name: 'calends_requests',
  columns: columns(
    key('organization_id'),
    keyOf(255, 'caller_id'),
    keyOf(64, 'operation'),
    keyOf(255, 'request_key'),
    text('fingerprint', 'token'),
    integer('lease_until', 'expires_at'),
    optional(json('answer')),
  ),
  primaryKey: ['organization_id', 'caller_id', 'operation', 'request_key'],
  indices: [index('requests_expiring', ['expires_at'])],
};

/**
 * One row per actor that an overlap guard was asked for, locked while the guard looks (D26); for databases
 * without locks of another kind.
 */
const actorLocks: Table = {
  name: 'calends_actor_locks',
  columns: key('organization_id', 'actor_id'),
  primaryKey: ['organization_id', 'actor_id'],
};

/** The tables of version 0.1; never changed after a release, later migrations alter them. */
export const firstSchema: readonly Table[] = [appointments, actors, customers, events, requests, actorLocks];
