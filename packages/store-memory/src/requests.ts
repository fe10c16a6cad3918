import {
  compareText,
  type Instant,
  type RequestCompletion,
  type RequestKey,
  type StoredRequest,
} from '@calends/core/store';
import { compositeKey } from './maps.js';
import { SortedList } from './sorted-list.js';

interface KeptRequest {
  readonly key: string;
  readonly fingerprint: string;
  readonly answer: string;
  readonly expiresAt: Instant;
}

const keyOf = ({ organizationId, callerId, operation, key }: RequestKey): string =>
  compositeKey(organizationId, callerId, operation, key);

/** Answers of requests by their keys (decisions, Across all). */
export class Requests {
  readonly #byKey = new Map<string, KeptRequest>();
  readonly #byExpiry = new SortedList<KeptRequest>((a, b) => a.expiresAt - b.expiresAt || compareText(a.key, b.key));

  find(key: RequestKey, now: Instant): StoredRequest | undefined {
    const kept = this.#byKey.get(keyOf(key));
    if (kept === undefined || kept.expiresAt <= now) return undefined;
    return { fingerprint: kept.fingerprint, answer: kept.answer };
  }

  put(request: RequestCompletion): void {
    const { fingerprint, answer, expiresAt } = request;
    const key = keyOf(request);
    this.#remove(key);
    const kept = { key, fingerprint, answer, expiresAt };
    this.#byKey.set(key, kept);
    this.#byExpiry.add(kept);
  }

  purge(now: Instant, limit: number): number {
    const expired = this.#byExpiry.takeWhile(({ expiresAt }) => expiresAt < now, limit);
    for (const { key } of expired) this.#remove(key);
    return expired.length;
  }

  #remove(key: string): void {
    const stored = this.#byKey.get(key);
    if (stored === undefined) return;
    this.#byKey.delete(key);
    this.#byExpiry.remove(stored);
  }
}
