import { defaultOrganization, limits, parseLocale } from '@calends/model';
import { CalendsError } from '../../domain/calls/errors.js';
import { type InputIssues, parsedText, readInput } from '../../domain/calls/input.js';
import type { UseCaseContext } from '../context.js';
import type { RequestOtpCommand } from './commands.js';
import { type OtpChallenge, otpRules } from '../../domain/customers/proofs.js';
import { newCode, nextIssues, withoutLastIssue } from '../proofs/otp/codes.js';
import type { OtpDelivery } from '../proofs/otp/sending.js';

/** Where two requests at once are in each other's way, the second one finds a code that was just issued. */
const attempts = 3;

/** Who asks, and what for. */
type Asking = Omit<OtpDelivery, 'challengeId' | 'code' | 'note' | 'takeBack'> & { readonly source: string | undefined };

/**
 * Sends a one-time password (D44, D66).
 *
 * The same is read and written for user names that are known and for those that are not; what differs, the look into
 * the host's directory and the sending, happens after the answer. Nothing is written where the application sends no codes,
 * or where too many wait to be sent.
 */
export function requestOtp(context: UseCaseContext) {
  return async (command: RequestOtpCommand): Promise<void> => {
    // No caller stands before it, so nothing has looked at it yet.
    const given = Object(command) as RequestOtpCommand;
    const { applicationId, username, locale, source } = readInput((issues) => ({
      applicationId: issues.requiredText('/applicationId', given.applicationId, limits.id),
      username: issues.requiredText('/username', given.username, limits.username),
      locale: readLocale(given.locale, issues),
      source: issues.text('/source', given.source, Infinity),
    }));
    const settings = await context.applications.settingsOf(applicationId);
    const organizationId = settings.organizationId ?? defaultOrganization;
    await issue(context, { organizationId, applicationId, username, locale, settings, source });
  };
}

async function issue(context: UseCaseContext, asking: Asking): Promise<void> {
  const { clock, otpHashes, otpSending, store } = context;
  const { organizationId, applicationId, username, settings } = asking;
  const subject = otpHashes.subjectOf(organizationId, applicationId, username);
  const source = asking.source === undefined ? undefined : otpHashes.sourceOf(organizationId, asking.source);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const now = clock.now();
    const present = await store.customers.findChallenge(organizationId, subject);
    const issues = nextIssues(present, { now, source });
    if (issues === undefined || !otpSending.canSend(settings) || !otpSending.reserve(organizationId)) return;
    let isTaken = false;
    try {
      const { challenge, code } = newChallenge(context, { organizationId, subject, issues, now });
      if (!(await store.customers.putChallenge(challenge, present?.challengeId))) continue;
      const { challengeId } = challenge;
      isTaken = true;
      otpSending.begin({
        ...asking,
        challengeId,
        code,
        note: (address) => note(context, challenge, address),
        takeBack: () => takeBack(context, challenge),
      });
      return;
    } finally {
      if (!isTaken) otpSending.giveBack(organizationId);
    }
  }
  throw new CalendsError('unavailable', 'Too many requests at once; try again.');
}

function newChallenge(
  { ids, otpHashes, secureRandom }: UseCaseContext,
  { now, ...about }: Pick<OtpChallenge, 'organizationId' | 'subject' | 'issues'> & { readonly now: number },
): { readonly challenge: OtpChallenge; readonly code: string } {
  const challengeId = ids.next();
  const code = newCode(secureRandom);
  const challenge: OtpChallenge = {
    ...about,
    challengeId,
    codeHash: otpHashes.codeHash(challengeId, code),
    issuedAt: now,
    expiresAt: now + otpRules.validFor,
    tries: 0,
    consumedAt: null,
    sentTo: null,
  };
  return { challenge, code };
}

/** Keeps where the code went, so that the booking with it is told there and nowhere else (D62). */
function note({ store, otpHashes }: UseCaseContext, challenge: OtpChallenge, address: string): Promise<void> {
  const { organizationId, subject, challengeId } = challenge;
  const sentTo = otpHashes.contactHash(challengeId, address);
  return store.customers.noteContact({ organizationId, subject, challengeId, sentTo });
}

/** A code that nobody got counts for nothing, and opens nothing; a later one of the same name stays. */
async function takeBack({ store }: UseCaseContext, challenge: OtpChallenge): Promise<void> {
  const { challengeId, issuedAt, issues } = challenge;
  const withdrawn = { ...challenge, codeHash: '', consumedAt: issuedAt, issues: withoutLastIssue(issues) };
  await store.customers.putChallenge(withdrawn, challengeId);
}

function readLocale(given: string | null | undefined, issues: InputIssues): string | undefined {
  if ((given ?? '') === '') return undefined;
  const locale = parseLocale(parsedText(given));
  if (locale === undefined) issues.add('/locale', 'invalid_format', 'Must be a language tag.');
  return locale;
}
