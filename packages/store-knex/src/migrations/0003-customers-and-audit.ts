import { check, columns, index, integer, json, key, keyOf, optional, text } from '../schema/columns.js';
import type { Addition, Table } from '../schema/table.js';

/** Instants lie in the years 1970 to 9999 (D3). */
const lastInstant = 253_402_300_799_999;

const states = `('SCHEDULED', 'ACTIVATED', 'CANCELLED', 'ABORTED')`;

/** The present one-time password of each subject (D44); neither codes nor user names, only keyed hashes of them. */
const otpChallenges: Table = {
  name: 'calends_otp_challenges',
  columns: columns(
    key('organization_id', 'subject', 'challenge_id'),
    text('code_hash'),
    integer('issued_at', 'expires_at', 'tries'),
    optional(integer('consumed_at')),
    json('issues'),
  ),
  primaryKey: ['organization_id', 'subject'],
  checks: [
    check('otp_tries', 'tries >= 0'),
    check('otp_times', `issued_at >= 0 and expires_at > issued_at and expires_at <= ${lastInstant}`),
  ],
  indices: [index('otp_challenges_by_issue', ['issued_at'])],
};

/** The current ticket of each key (D42); nonces, not the secrets that are made of them. */
const tickets: Table = {
  name: 'calends_tickets',
  columns: columns(
    key('organization_id'),
    keyOf(16, 'kind'),
    key('subject_id', 'holder_id', 'nonce'),
    integer('issued_at'),
    optional(integer('expires_at', 'revoked_at')),
  ),
  primaryKey: ['organization_id', 'kind', 'subject_id', 'holder_id'],
  clustered: true,
  checks: [
    check('ticket_kind', `kind in ('MANAGE', 'CALENDAR_FEED')`),
    check('ticket_holder', `(kind = 'CALENDAR_FEED') = (holder_id = '')`),
    check('ticket_issued', 'issued_at >= 0'),
  ],
};

/**
 * The audit record. Nothing of a row ever changes but `seal_number`, once: from 0 to the number of the seal that covers
 * it.
 */
const audit: Table = {
  name: 'calends_audit',
  columns: columns(
    key('organization_id', 'id', 'application_id', 'appointment_id'),
    integer('happened_at'),
    optional(text('actor_id'), keyOf(16, 'actor_type'), keyOf(32, 'actor_role')),
    keyOf(16, 'proof'),
    keyOf(32, 'operation'),
    optional(keyOf(16, 'from_state', 'to_state'), integer('version')),
    text('request_id'),
    keyOf(64, 'outcome'),
    // Not null: no database reads an index in its order behind `is null`.
    integer('seal_number'),
  ),
  // Each commit writes here: what lists are sorted by is the key, and spares an index beside it.
  primaryKey: ['organization_id', 'happened_at', 'id'],
  clustered: true,
  checks: [
    check('audit_actor', '(actor_id is null) = (actor_type is null) and (actor_id is null) = (actor_role is null)'),
    check('audit_proof', `proof in ('token', 'manage', 'join', 'otp', 'none')`),
    check('audit_states', `from_state in ${states} and to_state in ${states}`),
    check('audit_refused', `outcome = 'done' or (from_state is null and to_state is null and version is null)`),
    check('audit_numbers', `happened_at between 0 and ${lastInstant} and version >= 1 and seal_number >= 0`),
  ],
  indices: [
    index('audit_by_appointment', ['organization_id', 'appointment_id', 'happened_at', 'id']),
    // Not only of unsealed entries: what was slipped in under a seal that exists must come to light with it.
    index('audit_by_seal', ['seal_number', 'organization_id', 'id']),
  ],
};

/** The hash chain over the audit record; `entry_ids` tells of entries that are gone. */
const seals: Table = {
  name: 'calends_audit_seals',
  columns: columns(
    key('organization_id'),
    integer('seal_number'),
    json('entry_ids'),
    text('hash'),
    integer('sealed_at'),
  ),
  primaryKey: ['organization_id', 'seal_number'],
  checks: [check('seal_number', 'seal_number >= 1 and sealed_at >= 0')],
};

/** The tables of customers' proofs and of the audit record; never changed after a release, later migrations alter them. */
export const proofTables: readonly Table[] = [otpChallenges, tickets, audit, seals];

/** What the tables of before get. */
export const proofAdditions: readonly Addition[] = [
  {
    table: 'calends_customers',
    columns: columns(optional(keyOf(16, 'removal_reason'), integer('removed_at'))),
    checks: [
      check(
        'customer_removal',
        `(removal_reason is null and removed_at is null) or (removal_reason in ('PDM_EXPIRED', 'PDM_ERASED')
          and removed_at is not null and username is null and primary_email is null and primary_phone is null
          and first_name is null and last_name is null and metadata = '{}')`,
      ),
    ],
  },
  {
    // A refused call may know the appointment and nothing else.
    table: 'calends_appointments',
    columns: [],
    indices: [index('appointments_by_id', ['id'])],
  },
];
