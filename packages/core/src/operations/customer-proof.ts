import { type Appointment, conferenceIdOf } from '../domain/appointments/appointment.js';
import type { CallOptions } from './call-options.js';
import { asSeenBy } from '../domain/appointments/participants.js';
import { type Caller, widestRole } from '../domain/calls/caller.js';
import { hasCustomer, staleTicket } from './proofs/manage-link/tickets.js';
import { CalendsError } from '../domain/calls/errors.js';
import { dropRejectionsIn, fieldsOf } from '../support/host-answers.js';
import { appointmentRow, type ProvenOperation, isManageAction } from '../domain/operation-table.js';
import type { ProofGuard } from '../ports/store/commit.js';
import type { ProvenManageTicket } from '../ports/manage-proof-verifier.js';
import type { UseCaseContext } from './context.js';
import { withRefusalsNoted } from './noted-refusals.js';

/** A customer's proof for one appointment, as far as it can be checked before the appointment is loaded. */
export interface CustomerProof {
  /** The participant that the customer is, where the proof names one (D42). */
  readonly participantId?: string | undefined;
  /** What the commit must find of the ticket behind it (D65); absent where the commit cannot look at it. */
  readonly guard?: ProofGuard | undefined;
  /** Asks again whether it holds now; throws `stale_ticket` when it does not. A join claim holds as long as its token. */
  readonly requireHeld: () => Promise<void>;
  /** Throws `forbidden` or `stale_ticket` when the proof is not for the appointment that was found, or not found. */
  readonly requireFor: (found: Appointment | undefined) => void;
}

/**
 * Checks what a customer brings: manage claims, else the join claim (D42, D43); other callers bring none.
 *
 * @throws CalendsError `stale_ticket` for manage claims that do not hold, `forbidden` without a proof that this
 * action takes
 */
export async function customerProof(
  context: UseCaseContext,
  caller: Caller,
  appointmentId: string,
  operation: ProvenOperation,
  options: CallOptions | undefined,
): Promise<CustomerProof | undefined> {
  if (widestRole(caller) !== 'ROLE_CUSTOMER') return undefined;
  return withRefusalsNoted(context, { caller, appointmentId, operation, options }, () =>
    provenCustomer(context, caller, appointmentId, operation),
  );
}

async function provenCustomer(
  context: UseCaseContext,
  caller: Caller,
  appointmentId: string,
  operation: ProvenOperation,
): Promise<CustomerProof> {
  const { manage } = caller;
  if (manage !== undefined) {
    if (!isManageAction(operation)) throw staleTicket();
    const { organizationId } = caller;
    const prove = async (): Promise<ProvenManageTicket> => {
      const proven = await context.manageProofVerifier.verify({
        organizationId,
        appointmentId,
        action: operation,
        claims: manage,
      });
      if (proven === undefined) throw staleTicket();
      return readProven(proven);
    };
    const { participantId, guard } = await prove();
    return {
      participantId,
      guard,
      requireHeld: async () => {
        await prove();
      },
      // The verifier looked at it a moment ago: what changed since must not tell unknown from stale either.
      requireFor: (found) => {
        if (found === undefined || !hasCustomer(found, participantId)) throw staleTicket();
      },
    };
  }
  const { conferenceId } = caller;
  const derivable = context.accessProvider.conferenceIsAppointment;
  if (
    appointmentRow(operation).joinProof !== true ||
    conferenceId === undefined ||
    (derivable && conferenceId !== appointmentId)
  ) {
    throw withoutProof();
  }
  return {
    requireHeld: () => Promise.resolve(),
    requireFor: (found) => {
      // Where the id by itself does not tell, unknown and foreign must look like a wrong claim.
      if (found === undefined ? !derivable : conferenceIdOf(found) !== conferenceId) {
        throw withoutProof();
      }
    },
  };
}

/**
 * What a verifier of a host has answered: a guard that is none would be looked at by no store.
 *
 * @throws CalendsError `internal` for an answer of no known form
 */
function readProven(answer: unknown): ProvenManageTicket {
  const { participantId, guard } = fieldsOf(answer);
  if (typeof participantId === 'string' && (guard === undefined || guard === null)) return { participantId };
  if (typeof participantId === 'string' && isGuard(guard)) return { participantId, guard };
  dropRejectionsIn(answer);
  const cause = new TypeError('manageProofVerifier: verify must answer undefined or { participantId, guard }');
  throw new CalendsError('internal', 'The manage link could not be checked.', { cause });
}

function isGuard(value: unknown): value is ProofGuard {
  const { kind, subjectId, holderId, nonce, session } = fieldsOf(value);
  const isSession = session === undefined || Number.isSafeInteger(session);
  return kind === 'MANAGE' && isSession && [subjectId, holderId, nonce].every((part) => typeof part === 'string');
}

/** The appointment as the bearer of a proof may see it: a manage link shows no other customer (D42). */
export function asShownTo(proof: CustomerProof | undefined, appointment: Appointment): Appointment {
  return proof?.participantId === undefined ? appointment : asSeenBy(appointment, proof.participantId);
}

function withoutProof(): CalendsError {
  return new CalendsError('forbidden', 'The credentials are not for this appointment.');
}
