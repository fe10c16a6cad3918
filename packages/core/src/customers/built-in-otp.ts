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
    verify: async ({ organizationId, applicationId, username, code, contact }) => {
      const now = clock.now();
      let compared = false;
      // Several only while one secret takes the place of another: a code of before is found under the older one.
      for (const subject of otpHashes.subjectsOf(organizationId, applicationId, username)) {
        const challenge = await store.countOtpTry({ organizationId, subject, now, limit: otpRules.tries });
        compared ||= challenge !== undefined;
        if (!otpHashes.matches(challenge, code) || challenge === undefined) continue;
        const { challengeId, sentTo } = challenge;
        const consumption = { subject, challengeId, at: now };
        if (sentTo === null) return { consumption };
        const { email, phone } = contact;
        const isIt = (address: string | undefined): boolean => otpHashes.isContact(challengeId, address, sentTo);
        return { consumption, sentTo: { ...(isIt(email) && { email }), ...(isIt(phone) && { phone }) } };
      }
      return compared ? false : 'spent';
    },
  };
}
