import type { ManageClaims } from '../caller.js';

/** What customers can do by manage link. */
export const manageActions = ['get', 'reschedule', 'cancel'] as const;

/** One of {@link manageActions}. */
export type ManageAction = (typeof manageActions)[number];

/** Claims to check against one appointment (D42). */
export interface ManageProof {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly action: ManageAction;
  readonly claims: ManageClaims;
}

/**
 * Checks a customer's manage ticket and signed manage context.
 *
 * Answers the participant that they belong to, or `undefined` for whatever is unknown, stale, foreign, expired
 * or altered, without telling which. Without a verifier every proof is refused.
 */
export interface ManageProofVerifier {
  verify(proof: ManageProof): Promise<{ readonly participantId: string } | undefined>;
}
