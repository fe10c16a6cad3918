import { parseLocale } from '../appointments/locale.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { CustomerContact } from '../ports/customer-directory.js';
import type { UseCaseContext } from '../use-case/context.js';
import { isEmailAddress, isPhoneNumber } from './customer-input.js';
import type { CustomerOperations } from './customer-operations.js';
import type { OtpChallenge } from './one-time-password.js';
import { newCode, nextIssues, otpRules } from './otp-codes.js';

/** Where two requests at once are in each other's way, the second one finds a code that was just issued. */
const attempts = 3;

/**
 * Sends a one-time password (D44).
 *
 * The same is read and written for user names that are known and for those that are not; what differs, the sending,
 * happens after the answer.
 */
export function requestOtp(context: UseCaseContext): CustomerOperations['requestOtp'] {
  return async (command) => {
    const { applications, clock, ids, otpHashes, otpSending, secureRandom, store } = context;
    const issues = new InputIssues();
    const applicationId = issues.requiredText('/applicationId', command.applicationId, limits.applicationId);
    const username = issues.requiredText('/username', command.username, limits.username).trim();
    const locale = readLocale(command.locale, issues);
    issues.throwIfAny();
    const settings = await applications.settingsOf(applicationId);
    const organizationId = settings.organizationId ?? 'default';
    const contact = await contactOf(context, { organizationId, applicationId, username });
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
      if (contact !== undefined) {
        const language = locale ?? contact.locale ?? settings.locale;
        otpSending.begin({ organizationId, applicationId, challengeId, code, contact, locale: language, settings });
      }
      return;
    }
    throw new CalendsError('internal', 'Too many requests at once; try again.', { temporary: true });
  };
}

/** An address is its own contact; everything else is for the host's directory. */
async function contactOf(
  { customerDirectory }: UseCaseContext,
  query: { readonly organizationId: string; readonly applicationId: string; readonly username: string },
): Promise<CustomerContact | undefined> {
  const { username } = query;
  if (isEmailAddress(username)) return { email: username };
  const phone = username.replaceAll(/\s/g, '');
  if (isPhoneNumber(phone)) return { phone };
  const found = await customerDirectory?.contactOf(query);
  return found?.email === undefined && found?.phone === undefined ? undefined : found;
}

function readLocale(text: string | undefined, issues: InputIssues): string | undefined {
  if (text === undefined || text === '') return undefined;
  const locale = parseLocale(text);
  if (locale === undefined) issues.add('/locale', 'invalid_format', 'Must be a language tag.');
  return locale;
}
