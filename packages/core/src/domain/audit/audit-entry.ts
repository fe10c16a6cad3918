import type { AppointmentState, ErrorCode, Instant } from '@calends/model';
import type { Appointment } from '../appointments/appointment.js';
import { type Actor, actorOf, type Caller, widestRole, workerActor } from '../calls/caller.js';
import type { AuditOperation } from '../operation-table.js';

/** How the actor proved who they are; `none`: the library's worker, or nobody that could be told. */
export const auditProofs = ['token', 'manage', 'join', 'otp', 'none'] as const;

/** One of {@link auditProofs}. */
export type AuditProof = (typeof auditProofs)[number];

/** One line of the audit record: who did or tried what to which appointment; no personal data. */
export interface AuditEntry {
  /** UUIDv7. */
  readonly id: string;
  readonly organizationId: string;
  /** Empty for what is of no application: hours. */
  readonly applicationId: string;
  /** Absent for what was tried and refused on none, such as a booking, and for what was done to a web hook endpoint, to services and hours. */
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
  /**
   * Present = retention has removed its entries and all before it: the record begins behind this seal. Id of a key, a dot and
   * a keyed hash over the seal, so that nobody else can cut off a beginning.
   */
  readonly anchor?: string | undefined;
}

/** What the line of a call on an appointment says, beside what all lines have. */
type AuditedCall = Omit<AuditEntry, 'id' | 'organizationId' | 'applicationId' | 'appointmentId' | 'outcome'> & {
  readonly appointment: AuditedSubject;
};

/** The appointment of a call; without its id where the call was on none. */
export type AuditedSubject = Pick<Appointment, 'organizationId' | 'applicationId'> & Partial<Pick<Appointment, 'id'>>;

/** The line of the audit record that tells of a call; goes into its commit. */
export function auditLine(id: string, { appointment, ...call }: AuditedCall): AuditEntry {
  const { organizationId, applicationId, id: appointmentId } = appointment;
  return { id, organizationId, applicationId, appointmentId, outcome: 'done', ...call };
}

/**
 * How a caller proved who they are; the library's own worker proves nothing. Only of customers the claims are looked at: whatever
 * of them stands in another token has proved nothing.
 */
export function proofOf(caller: Caller | undefined): AuditProof {
  if (caller === undefined) return 'none';
  if (widestRole(caller) !== 'ROLE_CUSTOMER') return 'token';
  if (caller.manage !== undefined) return 'manage';
  return caller.conferenceId === undefined ? 'token' : 'join';
}

/**
 * The caller as the record names them. Customers are named by participant id, where it is known, and never by what their
 * token calls them: that may be an address.
 */
export function auditedActor(caller: Caller | undefined, participantId?: string): Actor {
  if (caller === undefined) return workerActor;
  const actor = actorOf(caller);
  return actor.type === 'CUSTOMER' ? { ...actor, id: participantId ?? 'customer' } : actor;
}
