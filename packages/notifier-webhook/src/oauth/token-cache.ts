import type { Clock } from '@calends/core';
import type { Instant } from '@calends/core/store';

/** A token for calling an endpoint, and until when to use it. */
export interface AccessToken {
  readonly value: string;
  readonly goodUntil: Instant;
}

/** How long a token is used whose answer does not say (RFC 6749, section 5.1: `expires_in` is only recommended). */
const usualLifetime = 5 * 60_000;
/** A token is dropped this long before its end, so that it does not end on its way; at most half of its life. */
const margin = 30_000;

/**
 * Reads the answer of a token endpoint (RFC 6749, section 5.1).
 *
 * Answers `undefined` for anything but a bearer token that can be a header.
 */
export function readAccessToken(body: Buffer, now: Instant): AccessToken | undefined {
  const answer = parsed(body);
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { access_token: value, token_type: type, expires_in: expiresIn } = answer as Record<string, unknown>;
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(value)) return undefined;
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return undefined;
  const lifetime = lifetimeOf(expiresIn);
  return { value, goodUntil: now + lifetime - Math.min(margin, lifetime / 2) };
}

/** Milliseconds. Some servers write the number as text. */
function lifetimeOf(expiresIn: unknown): number {
  const seconds = typeof expiresIn === 'number' || typeof expiresIn === 'string' ? Number(expiresIn) : NaN;
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : usualLifetime;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Asks for a new token; what it rejects with reaches everybody who waits. */
export type FetchToken = () => Promise<AccessToken>;

/** Most tokens that are kept; the one that was used longest ago goes first. */
const maxTokens = 1000;

/**
 * Keeps access tokens until shortly before their end.
 *
 * Anyone who wants the same token at the same time waits for one and the same request.
 */
export class TokenCache {
  readonly #clock: Clock;
  readonly #tokens = new Map<string, AccessToken>();
  readonly #underWay = new Map<string, Promise<AccessToken>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The token under a key, asked for when there is none.
   *
   * @param refused - a token that the endpoint did not take: it is not answered again
   */
  get(key: string, fetch: FetchToken, refused?: AccessToken): Promise<AccessToken> {
    const kept = this.#tokens.get(key);
    this.#tokens.delete(key);
    if (kept !== undefined && kept.value !== refused?.value && kept.goodUntil > this.#clock.now()) {
      this.#tokens.set(key, kept);
      return Promise.resolve(kept);
    }
    const underWay = this.#underWay.get(key) ?? this.#fetched(key, fetch);
    this.#underWay.set(key, underWay);
    return underWay;
  }

  #fetched(key: string, fetch: FetchToken): Promise<AccessToken> {
    return fetch()
      .then((token) => {
        this.#tokens.set(key, token);
        for (const oldest of this.#tokens.keys()) {
          if (this.#tokens.size <= maxTokens) break;
          this.#tokens.delete(oldest);
        }
        return token;
      })
      .finally(() => this.#underWay.delete(key));
  }
}
