import type { EndpointAuthentication } from '@calends/core';
import type { ExchangeRequest } from '../exchange/exchange.js';
import { basicCredentials } from '../request/basic-credentials.js';
import { userAgent } from '../request/user-agent.js';

/** The part of an endpoint that gets it its tokens. */
export type ClientCredentials = Extract<EndpointAuthentication, { type: 'oauth2' }>;

/** The request for a token by client credentials (RFC 6749, section 4.4.2). */
export function tokenRequest({ tokenUrl, clientId, clientSecret, scope }: ClientCredentials): ExchangeRequest {
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
