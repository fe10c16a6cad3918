import type { AuditOperation } from '../audit/audit-entry.js';
import { proofOf } from '../audit/audit-line.js';
import type { CallOptions } from '../appointments/commands.js';
import type { Caller } from '../caller.js';
import { CalendsError, type ErrorCode } from '../errors.js';
import type { UseCaseContext } from './context.js';

/** A call on one appointment that may be refused. */
export interface RefusableCall {
  /** Absent for the library's own worker, which nobody refuses anything. */
  readonly caller: Caller | undefined;
  readonly appointmentId: string;
  readonly operation: AuditOperation;
  /** The participant that a customer has proved to be. */
  readonly proof?: { readonly participantId?: string | undefined } | undefined;
  readonly options?: CallOptions | undefined;
}

const refusals: readonly ErrorCode[] = [
  'forbidden',
  'not_assigned',
  'stale_ticket',
  'outside_cancellation_window',
  'outside_reschedule_window',
  'reschedule_limit',
];

/** Carries a call out, and has it noted in the audit record when it is refused; the refusal goes on to the caller. */
export async function withRefusalsNoted<Answer>(
  { audit, ids }: UseCaseContext,
  { caller, appointmentId, operation, proof, options }: RefusableCall,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (caller !== undefined && CalendsError.is(error) && refusals.includes(error.code)) {
      const requestId = options?.correlationId ?? ids.next();
      const { participantId } = proof ?? {};
      const outcome = error.code;
      audit.refused({ caller, appointmentId, operation, outcome, participantId, proof: proofOf(caller), requestId });
    }
    throw error;
  }
}
