import type { Clock } from '@calends/core';
import type { AccessToken } from './access-token.js';

/** Asks for a new token; what it rejects with reaches everybody who waits. */
export type FetchToken = () => Promise<AccessToken>;

/** Most tokens that are kept; the one that was used longest ago goes first. */
const mostTokens = 1000;

/**
 * Keeps access tokens until shortly before their end.
 *
 * Whoever wants the same token at the same time waits for one and the same request.
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
          if (this.#tokens.size <= mostTokens) break;
          this.#tokens.delete(oldest);
        }
        return token;
      })
      .finally(() => this.#underWay.delete(key));
  }
}
