import type { OtpChallenge, OtpConsumption, OtpTry } from '@calends/core';
import { compositeKey } from './composite-key.js';
import { sealedCopy } from './sealed-copy.js';

/** The present one-time password of every subject. */
export class Challenges {
  readonly #bySubject = new Map<string, OtpChallenge>();

  find(organizationId: string, subject: string): OtpChallenge | undefined {
    return this.#bySubject.get(compositeKey(organizationId, subject));
  }

  put(next: OtpChallenge, expectedChallengeId: string | undefined): boolean {
    if (this.find(next.organizationId, next.subject)?.challengeId !== expectedChallengeId) return false;
    this.#bySubject.set(compositeKey(next.organizationId, next.subject), sealedCopy(next));
    return true;
  }

  countTry({ organizationId, subject, now, limit }: OtpTry): OtpChallenge | undefined {
    const found = this.find(organizationId, subject);
    if (found === undefined || found.consumedAt !== null || now >= found.expiresAt || found.tries >= limit) {
      return undefined;
    }
    const tried = sealedCopy({ ...found, tries: found.tries + 1 });
    this.#bySubject.set(compositeKey(organizationId, subject), tried);
    return tried;
  }

  /** Tells whether a commit may use the password up. */
  allows(organizationId: string, { subject, challengeId }: OtpConsumption): boolean {
    const found = this.find(organizationId, subject);
    return found?.challengeId === challengeId && found.consumedAt === null;
  }

  consume(organizationId: string, { subject, at }: OtpConsumption): void {
    const found = this.find(organizationId, subject);
    if (found === undefined) return;
    this.#bySubject.set(compositeKey(organizationId, subject), sealedCopy({ ...found, consumedAt: at }));
  }

  purge(before: number, limit: number): number {
    let gone = 0;
    for (const [key, { issuedAt }] of this.#bySubject) {
      if (gone >= limit) break;
      if (issuedAt >= before) continue;
      this.#bySubject.delete(key);
      gone += 1;
    }
    return gone;
  }
}
