import type { Clock } from '../ports/clock.js';
import type { CustomerStore } from '../ports/customer-store.js';
import type { OtpVerifier } from '../ports/otp-verifier.js';
import { type OtpHashes, otpRules } from './otp-codes.js';

/** What the built-in verifier needs. */
export interface BuiltInOtpPorts {
  readonly store: Pick<CustomerStore, 'countOtpTry'>;
  readonly clock: Clock;
  readonly otpHashes: OtpHashes;
}

/**
 * Checks the codes that `requestOtp` sent (D44): the try is counted before anything is compared, so however many calls
 * guess at once, five comparisons are made; the code is used up in the commit of the booking.
 */
export function builtInOtp({ store, clock, otpHashes }: BuiltInOtpPorts): OtpVerifier {
  return {
    verify: async ({ organizationId, applicationId, username, code }) => {
      const subject = otpHashes.subjectOf(organizationId, applicationId, username);
      const now = clock.now();
      const challenge = await store.countOtpTry({ organizationId, subject, now, limit: otpRules.tries });
      if (!otpHashes.matches(challenge, code) || challenge === undefined) return false;
      return { subject, challengeId: challenge.challengeId, at: now };
    },
  };
}
