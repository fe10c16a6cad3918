/** How fast a bucket fills, and how much it holds. */
export interface BucketSize {
  /** Tokens that come in a second. */
  readonly perSecond: number;
  /** Tokens that a full bucket holds: so many requests may come at once. */
  readonly burst: number;
}

/** Beyond so many keys, full buckets are looked for at most this often: looking costs one step for each key. */
const sweepEvery = 200;
/** Of the keys that find no place: they share one bucket. Ids and addresses have no blanks. */
const overflow = ' ';

/**
 * Token buckets by key, in bounded memory; times are milliseconds.
 *
 * Of each bucket only the time is kept at which it will be full again: a full one is the same as none and may be
 * forgotten. One that is not full is never forgotten, so nobody gets a fresh bucket by crowding others out; when `maxKeys`
 * are in use, further keys share one bucket. A bucket that gave one token is full again after `1000 / perSecond`, so that
 * many keys at once take `maxKeys × perSecond` requests a second.
 */
export class TokenBuckets {
  readonly #fullAt = new Map<string, number>();
  readonly #interval: number;
  readonly #room: number;
  readonly #maxKeys: number;
  #sweptAt = -Infinity;

  constructor({ perSecond, burst }: BucketSize, maxKeys: number) {
    this.#interval = 1000 / perSecond;
    this.#room = burst * this.#interval;
    this.#maxKeys = maxKeys;
  }

  /** How many buckets are kept. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Takes a token: 0, or how many milliseconds until there is one. */
  take(key: string, now: number): number {
    const place = this.#placeOf(key, now);
    const fullAt = Math.max(this.#fullAt.get(place) ?? now, now) + this.#interval;
    const wait = fullAt - now - this.#room;
    // Sums of fractions may be off by less than this.
    if (wait > 1e-6) return wait;
    this.#fullAt.set(place, fullAt);
    return 0;
  }

  #placeOf(key: string, now: number): string {
    if (this.#fullAt.size < this.#maxKeys || this.#fullAt.has(key)) return key;
    if (now - this.#sweptAt >= sweepEvery || now < this.#sweptAt) {
      this.#sweptAt = now;
      for (const [each, fullAt] of this.#fullAt) if (fullAt <= now) this.#fullAt.delete(each);
    }
    return this.#fullAt.size < this.#maxKeys ? key : overflow;
  }
}
