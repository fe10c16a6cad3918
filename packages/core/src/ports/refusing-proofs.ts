import type { ManageProofVerifier } from './manage-proof-verifier.js';
import type { OtpVerifier } from './otp-verifier.js';

/** The one-time password verifier of a host that has none: nobody can book as a customer. */
export const refuseEveryOtp: OtpVerifier = { verify: () => Promise.resolve(false) };

/** The manage proof verifier of a host that has none: every proof is stale. */
export const refuseEveryManageProof: ManageProofVerifier = {
  verify: () => Promise.resolve(undefined),
};
