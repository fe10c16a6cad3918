import type { ManageClaims } from '../domain/calls/caller.js';
import type { ManageAction } from '../domain/operation-table.js';
import type { ProofGuard } from './store/commit.js';

/** Claims to check against one appointment (D42). */
export interface ManageProof {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly action: ManageAction;
  readonly claims: ManageClaims;
}

/** A proof that holds: whose it is. */
export interface ProvenManageTicket {
  readonly participantId: string;
  /**
   * The ticket in the library's store that the proof stands on; a change under it commits only while the ticket's row has this
   * nonce, is not revoked, and its sessions were not ended more often than the guard says (D65). Absent for verifiers that keep their tickets elsewhere.
   */
  readonly guard?: ProofGuard | undefined;
}

/**
 * Checks a customer's manage ticket and signed manage context.
 *
 * Answers the participant that they belong to, or `undefined` for whatever is unknown, stale, foreign, expired
 * or altered, without telling which. Without a verifier every proof is refused.
 *
 * A verifier that answers a `guard` has it looked at in the commit itself: once a revocation has returned, nothing under the
 * old proof commits any more. One that answers none is asked again right before each commit. What that leaves open: a
 * revocation that happens between that answer and the commit does not stop the change, however quickly it follows.
 */
export interface ManageProofVerifier {
  verify(proof: ManageProof): Promise<ProvenManageTicket | undefined>;
}
