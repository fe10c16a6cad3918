import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../appointments/instant.js';
import { hours, minutes, seconds } from '../appointments/time-units.js';
import type { CustomerContact } from '../ports/customer-directory.js';
import type { SecureRandom } from '../ports/secure-random.js';
import { isEmailAddress, isPhoneNumber } from './customer-input.js';
import type { OtpChallenge } from './one-time-password.js';

/** The numbers of D44. */
export const otpRules = {
  digits: 6,
  validFor: minutes(10),
  tries: 5,
  resendAfter: seconds(60),
  issuesInAnHour: 5,
  hour: hours(1),
} as const;

/** Hashes of one-time passwords and of whom they are for, under one key. */
export class OtpHashes {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** Whom a password is for: bound to organization, application and user name. */
  subjectOf(organizationId: string, applicationId: string, username: string): string {
    return this.#hash(['subject', organizationId, applicationId, normalized(username)]).toString('base64url');
  }

  /** Bound to the challenge: the same code of another one has another hash. */
  codeHash(challengeId: string, code: string): string {
    return this.#hash(['code', challengeId, code]).toString('base64url');
  }

  /**
   * Compares in constant time; without a challenge it does the same work and says no.
   */
  matches(challenge: OtpChallenge | undefined, code: string): boolean {
    const given = this.#hash(['code', challenge?.challengeId ?? '', code]);
    const expected = Buffer.from(challenge?.codeHash ?? '', 'base64url');
    const comparable = expected.length === given.length ? expected : Buffer.alloc(given.length);
    return timingSafeEqual(given, comparable) && challenge !== undefined;
  }

  #hash(parts: readonly string[]): Buffer {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest();
  }
}

/**
 * One user name however it is written: e-mail addresses without regard to the case of ASCII letters, phone numbers
 * without blanks. Everything else stays as it is: two names that a host tells apart must never share a code.
 */
function normalized(username: string): string {
  const { email, phone } = addressIn(username);
  return email?.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) ?? phone ?? username;
}

/** The address that a user name is, if it is one. */
export function addressIn(username: string): CustomerContact {
  const email = username.trim();
  if (isEmailAddress(email)) return { email };
  const phone = username.replaceAll(/\s/g, '');
  return isPhoneNumber(phone) ? { phone } : {};
}

const codes = 10 ** otpRules.digits;
/** Above it, the last digits of a random number would not be equally likely. */
const fairBelow = Math.floor(2 ** 32 / codes) * codes;
/** A generator draws so often above it once in the age of the universe, unless it is broken. */
const mostDraws = 20;

/** Six digits, each as likely as the others. */
export function newCode(secureRandom: SecureRandom): string {
  for (let draw = 0; draw < mostDraws; draw += 1) {
    const number = Buffer.from(secureRandom.bytes(4)).readUInt32BE();
    if (number < fairBelow) return String(number % codes).padStart(otpRules.digits, '0');
  }
  throw new Error('The source of secure random bytes is broken.');
}

/** The times of issues that count, this one included; `undefined` when it is too soon or too often (D44). */
export function nextIssues(present: OtpChallenge | undefined, now: Instant): readonly Instant[] | undefined {
  const recent = (present?.issues ?? []).filter((at) => at > now - otpRules.hour);
  const last = recent.at(-1);
  if (last !== undefined && now < last + otpRules.resendAfter) return undefined;
  return recent.length >= otpRules.issuesInAnHour ? undefined : [...recent, now];
}
