import {
  compareText,
  type Instant,
  type OtpChallenge,
  type OtpConsumption,
  type OtpContactNote,
  type OtpTry,
} from '@calends/core/store';
import { compositeKey } from './maps.js';
import { sealedCopy } from './sealed-copy.js';
import { SortedList } from './sorted-list.js';

/** When the present challenge of a subject was issued. */
interface Issue {
  readonly key: string;
  readonly issuedAt: Instant;
}

const keyOf = ({ organizationId, subject }: Pick<OtpChallenge, 'organizationId' | 'subject'>): string =>
  compositeKey(organizationId, subject);

/** The present one-time password of every subject (D44). */
export class Challenges {
  readonly #bySubject = new Map<string, OtpChallenge>();
  readonly #byIssue = new SortedList<Issue>((a, b) => a.issuedAt - b.issuedAt || compareText(a.key, b.key));

  find(organizationId: string, subject: string): OtpChallenge | undefined {
    return this.#bySubject.get(compositeKey(organizationId, subject));
  }

  put(next: OtpChallenge, expectedChallengeId: string | undefined): boolean {
    const key = keyOf(next);
    const present = this.#bySubject.get(key);
    if (present?.challengeId !== expectedChallengeId) return false;
    this.#bySubject.set(key, sealedCopy(next));
    if (present !== undefined) this.#byIssue.remove({ key, issuedAt: present.issuedAt });
    this.#byIssue.add({ key, issuedAt: next.issuedAt });
    return true;
  }

  countTry({ organizationId, subject, now, limit }: OtpTry): OtpChallenge | undefined {
    const found = this.find(organizationId, subject);
    if (found === undefined || found.consumedAt !== null || now >= found.expiresAt || found.tries >= limit) {
      return undefined;
    }
    return this.#change(found, { tries: found.tries + 1 });
  }

  noteContact({ organizationId, subject, challengeId, sentTo }: OtpContactNote): void {
    const found = this.find(organizationId, subject);
    if (found?.challengeId === challengeId) this.#change(found, { sentTo });
  }

  /** Tells whether a commit may use the password up. */
  allows(organizationId: string, { subject, challengeId }: OtpConsumption): boolean {
    const found = this.find(organizationId, subject);
    return found?.challengeId === challengeId && found.consumedAt === null;
  }

  consume(organizationId: string, { subject, at }: OtpConsumption): void {
    const found = this.find(organizationId, subject);
    if (found !== undefined) this.#change(found, { consumedAt: at });
  }

  purge(before: Instant, limit: number): number {
    const old = this.#byIssue.takeWhile(({ issuedAt }) => issuedAt < before, limit);
    for (const issue of old) {
      this.#bySubject.delete(issue.key);
      this.#byIssue.remove(issue);
    }
    return old.length;
  }

  #change(found: OtpChallenge, changed: Partial<Pick<OtpChallenge, 'tries' | 'consumedAt' | 'sentTo'>>): OtpChallenge {
    const next = sealedCopy({ ...found, ...changed });
    this.#bySubject.set(keyOf(next), next);
    return next;
  }
}
