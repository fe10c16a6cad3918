import type { ErrorCode } from '@calends/model';
import { proofOf } from '../domain/audit/audit-entry.js';
import type { AuditOperation } from '../domain/operation-table.js';

import type { CallOptions } from './call-options.js';
import type { Caller } from '../domain/calls/caller.js';
import { CalendsError } from '../domain/calls/errors.js';
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
  { audit, ids, observer }: UseCaseContext,
  { caller, appointmentId, operation, proof, options }: RefusableCall,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (caller !== undefined && CalendsError.is(error) && refusals.includes(error.code)) {
      const requestId = options?.correlationId ?? ids.next();
      const source = options?.source;
      const { participantId } = proof ?? {};
      const outcome = error.code;
      audit.refused({ caller, appointmentId, operation, outcome, participantId, proof: proofOf(caller), requestId });
      const isProof = proofOf(caller) === 'manage' || proofOf(caller) === 'join';
      if (isProof && (outcome === 'stale_ticket' || outcome === 'forbidden')) {
        const { organizationId } = caller;
        const reason = 'the claims do not hold for this appointment';
        observer.observe({ type: 'security', kind: 'refusedProof', reason, organizationId, source, requestId });
      }
    }
    throw error;
  }
}

/** A booking with a code that was refused. */
export interface RefusedCode {
  readonly organizationId: string;
  readonly applicationId: string;
  /** Whether there was no code to compare with. */
  readonly spent: boolean;
  readonly options: CallOptions | undefined;
}

/** Tells of a refused code, and has it noted where the application is one that the host knows. */
export async function noteRefusedCode(
  { audit, applications, ids, observer }: UseCaseContext,
  { organizationId, applicationId, spent, options }: RefusedCode,
): Promise<void> {
  const requestId = options?.correlationId ?? ids.next();
  const isKnown = await applications.knows(applicationId);
  const about = { organizationId, ...(isKnown ? { applicationId } : {}), source: options?.source, requestId };
  observer.observe(
    spent
      ? { type: 'security', kind: 'spentCode', reason: 'there is no code to compare with', ...about }
      : { type: 'security', kind: 'wrongCode', reason: 'the code is another one', ...about },
  );
  if (!isKnown) return;
  const call = { operation: 'scheduleAsCustomer', outcome: 'unauthenticated', proof: 'otp' } as const;
  audit.refused({ ...call, organizationId, applicationId, requestId });
}
