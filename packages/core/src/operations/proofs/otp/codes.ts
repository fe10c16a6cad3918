import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Instant, isMailAddress, isPhoneNumber } from '@calends/model';
import type { KeyRing } from '../../../keys/key-ring.js';
import { mailboxKey, plainMailbox } from '../mailbox.js';
import type { CustomerContact } from '../../../ports/customer-directory.js';
import type { SecureRandom } from '../../../ports/random.js';
import { type OtpChallenge, otpRules } from '../../../domain/customers/proofs.js';
import type { Ports } from '../../../ports/ports.js';
import type { OtpVerifier } from '../../../ports/otp-verifier.js';

/** Hashes of one-time passwords and of whom they are for: made under the first key, found and compared under all (D67). */
export class OtpHashes {
  readonly #current: Uint8Array;
  readonly #keys: readonly Uint8Array[];

  constructor(keys: KeyRing) {
    this.#current = keys.current.derive('one-time-password');
    this.#keys = keys.all.map((key) => key.derive('one-time-password'));
  }

  /** Whom a password is for: bound to organization, application and user name. */
  subjectOf(organizationId: string, applicationId: string, username: string): string {
    const [first = ''] = this.subjectsOf(organizationId, applicationId, username);
    return first;
  }

  /** The same person under every key: the present one first. */
  subjectsOf(organizationId: string, applicationId: string, username: string): readonly string[] {
    const parts = ['subject', organizationId, applicationId, normalizedName(username)];
    return this.#keys.map((key) => hash(key, parts).toString('base64url'));
  }

  /** Where a request came from; short, since it only tells a few addresses apart. */
  sourceOf(organizationId: string, source: string): string {
    return hash(this.#current, ['source', organizationId, source]).toString('base64url', 0, 9);
  }

  /** Where the code of a challenge was sent. */
  contactHash(challengeId: string, address: string): string {
    const [first = ''] = this.#contactHashes(challengeId, address);
    return first;
  }

  /** Tells whether an address is the one of {@link contactHash}. */
  isContact(challengeId: string, address: string | undefined, sentTo: string): boolean {
    return address !== undefined && this.#contactHashes(challengeId, address).includes(sentTo);
  }

  #contactHashes(challengeId: string, address: string): readonly string[] {
    return this.#keys.map((key) => hash(key, ['contact', challengeId, normalizedName(address)]).toString('base64url'));
  }

  /** Bound to the challenge: the same code of another one has another hash. */
  codeHash(challengeId: string, code: string): string {
    return hash(this.#current, ['code', challengeId, code]).toString('base64url');
  }

  /**
   * Compares in constant time; without a challenge it does the same work and says no.
   */
  matches(challenge: OtpChallenge | undefined, code: string): boolean {
    const expected = Buffer.from(challenge?.codeHash ?? '', 'base64url');
    const agree = this.#keys.map((key) => {
      const given = hash(key, ['code', challenge?.challengeId ?? '', code]);
      return timingSafeEqual(given, expected.length === given.length ? expected : Buffer.alloc(given.length));
    });
    return agree.includes(true) && challenge !== undefined;
  }
}

function hash(key: Uint8Array, parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/**
 * One user name however it is written: e-mail addresses as {@link mailboxKey} has them, phone numbers
 * without blanks. Everything else stays as it is: two names that a host tells apart must never share a code.
 */
export function normalizedName(username: string): string {
  const { email, phone } = addressIn(username);
  return (email && mailboxKey(email)) ?? phone ?? username;
}

/** The address that a user name is, if it is one. */
export function addressIn(username: string): CustomerContact {
  const email = username.trim();
  if (isMailAddress(email)) return { email: plainMailbox(email) };
  const phone = username.replaceAll(/\s/g, '');
  return isPhoneNumber(phone) ? { phone } : {};
}

const codes = 10 ** otpRules.digits;
/** Above it, the last digits of a random number would not be equally likely. */
const fairBelow = Math.floor(2 ** 32 / codes) * codes;
/** A generator draws so often above it once in the age of the universe, unless it is broken. */
const maxDraws = 20;

/** Six digits, each as likely as the others. */
export function newCode(secureRandom: SecureRandom): string {
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const number = Buffer.from(secureRandom.bytes(4)).readUInt32BE();
    if (number < fairBelow) return String(number % codes).padStart(otpRules.digits, '0');
  }
  throw new Error('The source of secure random bytes is broken.');
}

/** A code that was issued, and the hash of the address that asked for it. */
interface Issue {
  readonly at: Instant;
  readonly source: string | undefined;
}

type Issues = OtpChallenge['issues'];

/** The issues that count, this one included; `undefined` when it is too soon or too often (D44, D66). */
export function nextIssues(present: Pick<OtpChallenge, 'issues'> | undefined, next: IssueFor): Issues | undefined {
  const { now, source } = next;
  // By a clock that was ahead and is right again, an issue would keep the next one away for as long as it was ahead.
  const since = ({ at }: Issue): number => Math.abs(now - at);
  const recent = readIssues(present?.issues ?? []).filter((issue) => since(issue) < otpRules.hour);
  const last = recent.at(-1);
  if (last !== undefined && since(last) < otpRules.resendAfter) return undefined;
  const fromThere = recent.filter((issue) => issue.source === source);
  if (recent.length >= otpRules.issuesInAnHour || fromThere.length >= otpRules.issuesFromOneSource) return undefined;
  return writeIssues([...recent, { at: now, source }]);
}

/** When a code is asked for, and from where, as far as that is known. */
interface IssueFor {
  readonly now: Instant;
  readonly source: string | undefined;
}

/** The issues without the last one, which is taken back. */
export function withoutLastIssue(issues: Issues): Issues {
  return writeIssues(readIssues(issues).slice(0, -1));
}

function readIssues(parts: Issues): readonly Issue[] {
  return parts.flatMap((part, index) => {
    if (typeof part === 'string') return [];
    const after = parts[index + 1];
    return [{ at: part, source: typeof after === 'string' ? after : undefined }];
  });
}

function writeIssues(issues: readonly Issue[]): Issues {
  return issues.flatMap(({ at, source }) => (source === undefined ? [at] : [at, source]));
}

/**
 * Checks the codes that `requestOtp` sent (D44): the try is counted before anything is compared, so however many calls
 * guess at once, five comparisons are made; the code is used up in the commit of the booking.
 */
export function builtInOtp({ store, clock }: Pick<Ports, 'store' | 'clock'>, otpHashes: OtpHashes): OtpVerifier {
  return {
    verify: async ({ organizationId, applicationId, username, code, contact }) => {
      const now = clock.now();
      let compared = false;
      // Several only while one secret takes the place of another: a code of before is found under the older one.
      for (const subject of otpHashes.subjectsOf(organizationId, applicationId, username)) {
        const challenge = await store.customers.countTry({ organizationId, subject, now, limit: otpRules.tries });
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
