import type { Clock, WebhookEndpoint } from '@calends/core';
import { within } from '../exchange/deadline.js';
import { exchange } from '../exchange/exchange.js';
import type { Outlet } from '../exchange/outlet.js';
import { type FailedAttempt, tokenOutcomeOf } from '../outcome.js';
import { type AccessToken, readAccessToken } from './access-token.js';
import { TokenCache } from './token-cache.js';
import { type ClientCredentials, tokenRequest } from './token-request.js';

/** There is no token, and the attempt has failed with that. */
export class TokenMissing extends Error {
  override readonly name = 'TokenMissing';
  constructor(readonly outcome: FailedAttempt) {
    super(outcome.error);
  }
}

/** Gets the access tokens of endpoints that want one. */
export class TokenSource {
  readonly #outlet: Outlet;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #cache: TokenCache;

  constructor(outlet: Outlet, clock: Clock, timeout: number) {
    this.#outlet = outlet;
    this.#clock = clock;
    this.#timeout = timeout;
    this.#cache = new TokenCache(clock);
  }

  /**
   * A token for an endpoint, from the cache while it lasts.
   *
   * @param refused - the token that the endpoint has just refused
   * @throws TokenMissing when the token endpoint gives none, or `signal` aborts first
   */
  async tokenFor(
    endpoint: WebhookEndpoint,
    credentials: ClientCredentials,
    signal: AbortSignal,
    refused?: AccessToken,
  ): Promise<AccessToken> {
    const { tokenUrl, clientId, clientSecret, scope } = credentials;
    const { allowHttp, allowPrivateNetwork } = endpoint;
    const key = JSON.stringify([tokenUrl, clientId, clientSecret, scope, allowHttp, allowPrivateNetwork]);
    const token = this.#cache.get(key, () => this.#fetch(endpoint, credentials), refused);
    return Promise.race([token, aborted(signal)]);
  }

  /** Has a deadline of its own: others may wait for it longer than who asked first. */
  async #fetch(endpoint: WebhookEndpoint, credentials: ClientCredentials): Promise<AccessToken> {
    const agent = this.#outlet.agentFor(endpoint);
    const answer = await within(this.#timeout, undefined, (signal) =>
      exchange(agent, tokenRequest(credentials), signal),
    );
    const now = this.#clock.now();
    const token = answer.kind === 'answered' && answer.status < 300 ? readAccessToken(answer.body, now) : undefined;
    if (token === undefined) throw new TokenMissing(tokenOutcomeOf(answer, now));
    return token;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  const timedOut = tokenOutcomeOf({ kind: 'broken', written: true, reason: 'ETIMEDOUT' }, 0);
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new TokenMissing(timedOut));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
