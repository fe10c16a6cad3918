import type { Appointment, AppointmentState } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { type Actor, actorOf, type Caller, widestRole, workerActor } from '../caller.js';
import type { Ids } from '../ports/ids.js';
import type { AuditEntry, AuditOperation, AuditProof } from './audit-entry.js';

/** A change of an appointment, or of what belongs to it, that is written down with it. */
export interface AuditedChange {
  readonly operation: AuditOperation;
  readonly appointment: Pick<Appointment, 'id' | 'organizationId' | 'applicationId'>;
  readonly at: Instant;
  readonly actor: Actor;
  readonly proof: AuditProof;
  readonly from: AppointmentState | null;
  readonly to: AppointmentState | null;
  readonly version: number | null;
  readonly requestId: string;
}

/** The line of the audit record that tells of a change; goes into its commit. */
export function auditLine(ids: Ids, change: AuditedChange): AuditEntry {
  const { appointment } = change;
  return {
    id: ids.next(),
    organizationId: appointment.organizationId,
    applicationId: appointment.applicationId,
    appointmentId: appointment.id,
    at: change.at,
    actor: change.actor,
    proof: change.proof,
    operation: change.operation,
    from: change.from,
    to: change.to,
    version: change.version,
    requestId: change.requestId,
    outcome: 'done',
  };
}

/** How a caller proved who they are; the library's own worker proves nothing. */
export function proofOf(caller: Caller | undefined): AuditProof {
  if (caller === undefined) return 'none';
  if (caller.manage !== undefined) return 'manage';
  return widestRole(caller) === 'ROLE_CUSTOMER' && caller.conferenceId !== undefined ? 'join' : 'token';
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
