import type { Instant, RequestCompletion, RequestKey, RequestReservation, ReservationResult } from '@calends/core';
import { compareText } from './code-point-order.js';
import { compositeKey } from './composite-key.js';
import { SortedList } from './sorted-list.js';

interface StoredRequest {
  readonly key: string;
  readonly fingerprint: string;
  readonly token: string;
  readonly leaseUntil: Instant;
  readonly expiresAt: Instant;
  readonly answer?: string;
}

const keyOf = ({ organizationId, callerId, operation, key }: RequestKey): string =>
  compositeKey(organizationId, callerId, operation, key);

/** An expired answer and a lapsed lease without one count as absent. */
const isPresent = ({ answer, leaseUntil, expiresAt }: StoredRequest, now: Instant): boolean =>
  now < (answer === undefined ? leaseUntil : expiresAt);

/** Reservations of requests and their answers (decisions, section 9). */
export class Requests {
  readonly #byKey = new Map<string, StoredRequest>();
  readonly #byExpiry = new SortedList<StoredRequest>((a, b) => a.expiresAt - b.expiresAt || compareText(a.key, b.key));

  reserve(reservation: RequestReservation): ReservationResult {
    const { fingerprint, token, now, leaseUntil, expiresAt } = reservation;
    const key = keyOf(reservation);
    const stored = this.#byKey.get(key);
    if (stored === undefined || !isPresent(stored, now)) {
      this.#put({ key, fingerprint, token, leaseUntil, expiresAt });
      return { status: 'reserved' };
    }
    if (stored.fingerprint !== fingerprint) return { status: 'mismatch' };
    return stored.answer === undefined ? { status: 'inProgress' } : { status: 'completed', answer: stored.answer };
  }

  /** Tells whether the token may complete the request: it made the reservation, and nobody took it over since. */
  holds(key: RequestKey, token: string): boolean {
    const stored = this.#byKey.get(keyOf(key));
    return stored?.token === token && stored.answer === undefined;
  }

  complete(completion: RequestCompletion): void {
    const stored = this.#byKey.get(keyOf(completion));
    if (stored !== undefined) this.#put({ ...stored, answer: completion.answer });
  }

  release(key: RequestKey, token: string): void {
    if (this.holds(key, token)) this.#remove(keyOf(key));
  }

  purge(now: Instant, limit: number): number {
    const expired = this.#byExpiry.takeWhile(({ expiresAt }) => expiresAt < now, limit);
    for (const { key } of expired) this.#remove(key);
    return expired.length;
  }

  #put(request: StoredRequest): void {
    this.#remove(request.key);
    this.#byKey.set(request.key, request);
    this.#byExpiry.add(request);
  }

  #remove(key: string): void {
    const stored = this.#byKey.get(key);
    if (stored === undefined) return;
    this.#byKey.delete(key);
    this.#byExpiry.remove(stored);
  }
}
