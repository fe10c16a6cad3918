import type { EndpointAuthentication, SendResult, WebhookEndpoint } from '@calends/core/notifier';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type Behaviour, receiver } from './support/receiver.js';
import { attempt, localEndpoint, messageFor, notifier } from './support/sending.js';

const clientSecret = 'p&ss wörd:%';

/** A token endpoint that gives `token-1`, `token-2` and so on. */
async function tokenServer(behaviour?: Behaviour, answer: Record<string, unknown> = { expires_in: 3600 }) {
  let given = 0;
  return receiver(
    behaviour ??
      ((_request, response) => {
        given += 1;
        json(response, 200, { access_token: `token-${String(given)}`, token_type: 'Bearer', ...answer });
      }),
  );
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function credentials(tokenUrl: string, changes: { clientId?: string; scope?: string } = {}): EndpointAuthentication {
  return { type: 'oauth2', tokenUrl, clientId: 'client 1', clientSecret, ...changes };
}

function settableClock() {
  const clock = { time: Date.parse('2026-05-04T09:00:00Z'), now: () => clock.time };
  return clock;
}

/** Which token each call had. */
function tokensOf({ requests }: Awaited<ReturnType<typeof receiver>>) {
  return requests.map(({ headers }) => headers.authorization);
}

describe('an endpoint with OAuth 2.0 client credentials', () => {
  it('an endpoint with OAuth 2.0 client credentials is called with a token, asked for as RFC 6749 has it', async () => {
    const tokens = await tokenServer();
    const hook = await receiver();
    const authentication = credentials(tokens.url, { scope: 'hooks write' });
    const result = await notifier().send(messageFor(localEndpoint(hook.url, { authentication })), attempt());
    expect(result).toEqual({ status: 'delivered', providerStatus: '204' });
    expect(tokensOf(hook)).toEqual(['Bearer token-1']);
    const [request] = tokens.requests;
    expect(request).toMatchObject({
      method: 'POST',
      body: Buffer.from('grant_type=client_credentials&scope=hooks+write'),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    });
    const given = Buffer.from(request?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
    expect(given).toBe('client+1:p%26ss+w%C3%B6rd%3A%25');
  });

  it.each([
    ['its life less 30 s', { expires_in: 3600 }, 3570],
    ['its life less 30 s, when that is written as text', { expires_in: '3600' }, 3570],
    ['half of a short life', { expires_in: 20 }, 10],
    ['four and a half minutes when its life is not said', {}, 270],
    ['four and a half minutes when its life makes no sense', { expires_in: -1 }, 270],
  ])('an endpoint with OAuth 2.0 client credentials keeps a token for %s', async (_how, answer, seconds) => {
    const clock = settableClock();
    const tokens = await tokenServer(undefined, answer);
    const hook = await receiver();
    const sender = notifier({ clock });
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url) });
    await sender.send(messageFor(endpoint), attempt());
    clock.time += seconds * 1000 - 1;
    await sender.send(messageFor(endpoint), attempt());
    clock.time += 1;
    await sender.send(messageFor(endpoint), attempt());
    expect(tokensOf(hook)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
  });

  it('an endpoint with OAuth 2.0 client credentials asks for one token however many calls want it at once', async () => {
    const tokens = await tokenServer();
    const hook = await receiver();
    const sender = notifier();
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url) });
    await Promise.all(Array.from({ length: 50 }, () => sender.send(messageFor(endpoint), attempt())));
    expect([tokens.requests.length, hook.requests.length]).toEqual([1, 50]);
  });

  it('an endpoint with OAuth 2.0 client credentials has its own token for other credentials', async () => {
    const tokens = await tokenServer();
    const hook = await receiver();
    const sender = notifier();
    const authentications = [{}, { clientId: 'client 2' }, { scope: 'hooks' }, {}];
    for (const changes of authentications) {
      const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url, changes) });
      await sender.send(messageFor(endpoint), attempt());
    }
    expect(tokensOf(hook)).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3', 'Bearer token-1']);
  });

  it('an endpoint with OAuth 2.0 client credentials is called once more with another token after 401, and all who had the old one share the new', async () => {
    const tokens = await tokenServer();
    const hook = await receiver(({ headers }, response) => {
      response.writeHead(headers.authorization === 'Bearer token-1' ? 401 : 204).end();
    });
    const sender = notifier();
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url) });
    const results = await Promise.all(Array.from({ length: 20 }, () => sender.send(messageFor(endpoint), attempt())));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['delivered']));
    expect([tokens.requests.length, hook.requests.length]).toEqual([2, 40]);
  });

  it('an endpoint with OAuth 2.0 client credentials has failed for good after a second 401', async () => {
    const tokens = await tokenServer();
    const hook = await receiver((_request, response) => void response.writeHead(401).end());
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url) });
    expect(await notifier().send(messageFor(endpoint), attempt())).toEqual({
      status: 'failed',
      permanent: true,
      error: 'The endpoint answered 401.',
      providerStatus: '401',
    });
    expect([tokens.requests.length, hook.requests.length]).toEqual([2, 2]);
  });
});

describe('without a token nothing is sent, and the outcome is known:', () => {
  async function sendWith(behaviour: Behaviour, changes: Partial<WebhookEndpoint> = {}): Promise<SendResult> {
    const tokens = await tokenServer(behaviour);
    const hook = await receiver();
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url), ...changes });
    const result = await notifier().send(messageFor(endpoint), attempt());
    expect(hook.requests).toEqual([]);
    return result;
  }

  it.each([400, 401, 403, 404, 410, 422])('the status %i of the token endpoint is permanent', async (status) => {
    const result = await sendWith((_request, response) => json(response, status, { error: 'invalid_client' }));
    expect(result).toEqual({
      status: 'failed',
      permanent: true,
      error: `The token endpoint answered ${String(status)}.`,
    });
  });

  it('a redirect is permanent and is not followed', async () => {
    const result = await sendWith(({ path }, response) => {
      if (path === '/hook') response.writeHead(307, { location: '/elsewhere' }).end();
      else json(response, 200, { access_token: 'a', token_type: 'bearer' });
    });
    expect(result).toMatchObject({ status: 'failed', permanent: true });
  });

  it('the status 429 of the token endpoint may be mended, after the time that was asked for', async () => {
    const result = await sendWith((_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end());
    expect(result).toEqual({
      status: 'failed',
      permanent: false,
      error: 'The token endpoint answered 429.',
      retryAfter: 7000,
    });
  });

  it.each([
    ['no JSON', 'text of the server'],
    ['nothing', ''],
    ['null', 'null'],
    ['no token', '{"token_type":"bearer"}'],
    ['another type', '{"access_token":"a","token_type":"mac"}'],
    ['no type', '{"access_token":"a"}'],
    ['a token with a line break', '{"access_token":"a\\r\\nx: y","token_type":"bearer"}'],
    ['an empty token', '{"access_token":"","token_type":"bearer"}'],
  ])('an answer with %s may be mended', async (_what, body) => {
    expect(await sendWith((_request, response) => void response.writeHead(200).end(body))).toEqual({
      status: 'failed',
      permanent: false,
      error: 'The token endpoint answered no bearer token.',
    });
  });

  it.each([
    [
      'an answer of more than 64 KB',
      (response: ServerResponse) => void response.writeHead(200).end('x'.repeat(70_000)),
      'EMSGSIZE',
    ],
    [
      'an answer that breaks off',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy()),
      'UND_ERR_SOCKET',
    ],
    ['no answer', (response: ServerResponse) => void response.destroy(), 'UND_ERR_SOCKET'],
  ])('%s may be mended', async (_what, answer, word) => {
    expect(await sendWith((_request, response) => answer(response))).toEqual({
      status: 'failed',
      permanent: false,
      error: `The token endpoint did not answer (${word}).`,
    });
  });

  it('a silent token endpoint may be mended, and the next call asks again', async () => {
    const controller = new AbortController();
    const tokens = await tokenServer(({ headers }, response) => {
      if (tokens.requests.length === 1) controller.abort();
      else json(response, 200, { access_token: headers.host, token_type: 'bearer' });
    });
    const hook = await receiver();
    const sender = notifier({ timeout: 1000 });
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url) });
    expect(await sender.send(messageFor(endpoint), attempt(controller.signal))).toEqual({
      status: 'failed',
      permanent: false,
      error: 'The token endpoint did not answer (ETIMEDOUT).',
    });
    await sender.close();
  });

  it('an address that is not public is refused for tokens too', async () => {
    const hook = await receiver();
    const sender = notifier({ resolve: async () => ['127.0.0.1'] });
    const endpoint = localEndpoint('https://hook.test/', {
      allowPrivateNetwork: false,
      authentication: credentials(`http://tokens.test:${String(hook.port)}/`),
    });
    expect(sender.endpointFault(endpoint)).toBeUndefined();
    expect(await sender.send(messageFor(endpoint), attempt())).toEqual({
      status: 'failed',
      permanent: true,
      error:
        'The endpoint cannot be used: authentication.tokenUrl leads to an address that is not public; allowPrivateNetwork is off.',
    });
    expect(hook.connections()).toBe(0);
  });

  it('a bad header of the appointment is found before a token is asked for', async () => {
    const tokens = await tokenServer();
    const hook = await receiver();
    const endpoint = localEndpoint(hook.url, { authentication: credentials(tokens.url) });
    const result = await notifier().send(messageFor(endpoint, { headers: { host: 'x' } }), attempt());
    expect(result).toMatchObject({ status: 'failed', permanent: true });
    expect(tokens.requests).toEqual([]);
  });
});
