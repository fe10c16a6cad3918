import type { UseCaseContext } from '../use-case/context.js';
import { otpRules } from './otp-codes.js';

/** Deletes challenges that no limit and no check looks at any more. */
export async function purgeOtp({ store, clock }: UseCaseContext, limit: number): Promise<void> {
  await store.purgeOtpChallenges(clock.now() - otpRules.hour - otpRules.validFor, limit);
}
