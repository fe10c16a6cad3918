import type { Instant } from '../appointments/instant.js';
import type { AppointmentState } from '../appointments/appointment.js';
import type { Actor } from '../caller.js';
import type { ErrorCode } from '../errors.js';

/** How the actor proved who they are; `none`: the library's worker, or nobody that could be told. */
export const auditProofs = ['token', 'manage', 'join', 'otp', 'none'] as const;

/** One of {@link auditProofs}. */
export type AuditProof = (typeof auditProofs)[number];

/** What was done or tried. */
export const auditOperations = [
  'schedule',
  'scheduleAsCustomer',
  'get',
  'update',
  'activate',
  'reschedule',
  'reassign',
  'cancel',
  'softDelete',
  'remove',
  'moveInteraction',
  'abort',
  'addParticipant',
  'removeParticipant',
  'updateParticipant',
  'confirmParticipant',
  'issueManageLink',
  'revokeManageLink',
  'eraseCustomer',
  'exportCustomer',
  'expireCustomer',
  'enableEndpoint',
  'disableEndpoint',
  'testEndpoint',
  'replayEndpoint',
  'automatic',
] as const;

/** One of {@link auditOperations}. */
export type AuditOperation = (typeof auditOperations)[number];

/** One line of the audit record: who did or tried what to which appointment; no personal data. */
export interface AuditEntry {
  /** UUIDv7. */
  readonly id: string;
  readonly organizationId: string;
  readonly applicationId: string;
  /** Absent for what was tried and refused on none, such as a booking, and for what was done to a web hook endpoint. */
  readonly appointmentId?: string | undefined;
  readonly at: Instant;
  /** Customers by participant id; null when the credentials told nobody (401). */
  readonly actor: Actor | null;
  readonly proof: AuditProof;
  readonly operation: AuditOperation;
  /** State before; null for a creation, and for what was refused. */
  readonly from: AppointmentState | null;
  /** State after; null for a removal, and for what was refused. */
  readonly to: AppointmentState | null;
  /** The appointment's version after the change; null where nothing changed it. */
  readonly version: number | null;
  readonly requestId: string;
  /** `done`, or why it was refused. */
  readonly outcome: 'done' | ErrorCode;
}

/**
 * A call that was refused; it is recorded only when the appointment is known, or else organization and application are
 * named.
 */
export interface AuditRefusal extends Omit<
  AuditEntry,
  'organizationId' | 'applicationId' | 'from' | 'to' | 'version' | 'outcome'
> {
  /** Absent for a call without valid credentials: the record is that of the appointment. */
  readonly organizationId?: string | undefined;
  /** Of a call on no appointment. */
  readonly applicationId?: string | undefined;
  readonly outcome: ErrorCode;
}

/**
 * A link of an organization's hash chain over its audit record.
 *
 * Entries are written with the change that they tell of; a worker seals them some seconds later, so that changes of
 * one organization need not wait for each other.
 */
export interface AuditSeal {
  readonly organizationId: string;
  /** 1 for the first, without gaps. */
  readonly number: number;
  /** Ids of the entries, ascending. */
  readonly entryIds: readonly string[];
  /** Keyed hash over the previous seal's hash and the entries. */
  readonly hash: string;
  /** Which key made the hash; absent = it was made before keys had ids. */
  readonly keyId?: string | undefined;
  readonly sealedAt: Instant;
}
