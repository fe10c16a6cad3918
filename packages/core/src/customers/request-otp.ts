import { parseLocale } from '../appointments/locale.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { CustomerOperations } from './customer-operations.js';
import type { OtpChallenge } from './one-time-password.js';
import { newCode, nextIssues, otpRules } from './otp-codes.js';

/** Where two requests at once are in each other's way, the second one finds a code that was just issued. */
const attempts = 3;

/**
 * Sends a one-time password (D44).
 *
 * The same is read and written for user names that are known and for those that are not; what differs, the look into
 * the host's directory and the sending, happens after the answer.
 */
export function requestOtp(context: UseCaseContext): CustomerOperations['requestOtp'] {
  return async (command) => {
    const { applications, clock, ids, otpHashes, otpSending, secureRandom, store } = context;
    const issues = new InputIssues();
    const applicationId = issues.requiredText('/applicationId', command.applicationId, limits.applicationId);
    const username = issues.requiredText('/username', command.username, limits.username);
    const locale = readLocale(command.locale, issues);
    issues.throwIfAny();
    const settings = await applications.settingsOf(applicationId);
    const organizationId = settings.organizationId ?? 'default';
    const subject = otpHashes.subjectOf(organizationId, applicationId, username);
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const now = clock.now();
      const present = await store.findOtpChallenge(organizationId, subject);
      const issued = nextIssues(present, now);
      if (issued === undefined) return;
      const challengeId = ids.next();
      const code = newCode(secureRandom);
      const next: OtpChallenge = {
        organizationId,
        subject,
        challengeId,
        codeHash: otpHashes.codeHash(challengeId, code),
        issuedAt: now,
        expiresAt: now + otpRules.validFor,
        tries: 0,
        consumedAt: null,
        issues: issued,
      };
      if (!(await store.putOtpChallenge(next, present?.challengeId))) continue;
      otpSending.begin({ organizationId, applicationId, username, challengeId, code, locale, settings });
      return;
    }
    throw new CalendsError('internal', 'Too many requests at once; try again.', { temporary: true });
  };
}

function readLocale(text: string | undefined, issues: InputIssues): string | undefined {
  if (text === undefined || text === '') return undefined;
  const locale = parseLocale(text);
  if (locale === undefined) issues.add('/locale', 'invalid_format', 'Must be a language tag.');
  return locale;
}
