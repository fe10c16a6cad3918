import type { Clock } from '@calends/core';
import type { EndpointAuthentication, WebhookEndpoint } from '@calends/core/notifier';
import { callHttp, type HttpCall, within } from '../http/http-call.js';
import type { ConnectionPools } from '../http/connection-pools.js';
import { type FailedAttempt, tokenOutcomeOf } from '../outcome.js';
import { type AccessToken, readAccessToken, TokenCache } from './token-cache.js';
import { basicCredentials, userAgent } from '../request/webhook-request.js';

/** There is no token, and the attempt has failed with that. */
export class TokenMissing extends Error {
  override readonly name = 'TokenMissing';
  constructor(readonly outcome: FailedAttempt) {
    super(outcome.error);
  }
}

/** Gets the access tokens of endpoints that want one. */
export class TokenSource {
  readonly #pools: ConnectionPools;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #cache: TokenCache;

  constructor(pools: ConnectionPools, clock: Clock, timeout: number) {
    this.#pools = pools;
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
    const agent = await this.#pools.agentFor(endpoint);
    const answer = await within(this.#timeout, undefined, (signal) =>
      callHttp(agent, tokenRequest(credentials), signal),
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

/** The part of an endpoint that gets it its tokens. */
export type ClientCredentials = Extract<EndpointAuthentication, { type: 'oauth2' }>;

/** The request for a token by client credentials (RFC 6749, section 4.4.2). */
export function tokenRequest({ tokenUrl, clientId, clientSecret, scope }: ClientCredentials): HttpCall {
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
  return {
    url: new URL(tokenUrl),
    headers: {
      authorization: basicCredentials(formEncoded(clientId), formEncoded(clientSecret)),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      'user-agent': userAgent,
    },
    body: Buffer.from(form.toString()),
    answer: 'keep',
  };
}

/** Both halves are encoded before they are joined (RFC 6749, section 2.3.1). */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
