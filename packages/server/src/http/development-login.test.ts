import express from 'express';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { text } from 'node:stream/consumers';
import { developmentLogin } from './development-login.js';

const tokens = [{ role: 'ROLE_AGENT', sub: 'agent-1', token: 'a token' }] as const;
let server: Server;

beforeAll(async () => {
  const application = express().get(
    '/docs/tokens',
    developmentLogin(() => Promise.resolve(tokens)),
  );
  server = createServer(application).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Asked with headers that `fetch` would not let through. */
async function ask(headers: Readonly<Record<string, string>>) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path: '/docs/tokens', headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, cache: answer.headers['cache-control'], content: await text(answer) };
}

describe('the tokens of the reference page', () => {
  it.each(['127.0.0.1:3000', 'localhost:3000', 'localhost', '[::1]:3000'])(
    'the tokens of the reference page are for a browser of this machine that asks %s',
    async (host) => {
      const { status, cache, content } = await ask({ host, 'sec-fetch-site': 'same-origin' });
      expect({ status, cache, content: JSON.parse(content) as unknown }).toEqual({
        status: 200,
        cache: 'no-store',
        content: tokens,
      });
    },
  );

  it.each([
    ['a name that leads here', { host: 'evil.example:3000' }],
    ['a name that begins like ours', { host: 'localhost.evil.example' }],
    ['a name that begins like our address', { host: '127.0.0.1.evil.example' }],
    ['a page of another site', { host: 'localhost:3000', 'sec-fetch-site': 'cross-site' }],
    ['an address that was typed', { host: 'localhost:3000', 'sec-fetch-site': 'none' }],
    ['a proxy', { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.9' }],
    ['a proxy that tells the address only', { host: 'localhost:3000', 'x-real-ip': '203.0.113.9' }],
    ['a proxy that tells the scheme only', { host: 'localhost:3000', 'x-forwarded-proto': 'https' }],
    ['a tunnel', { host: 'localhost:3000', forwarded: 'for=203.0.113.9' }],
  ])('the tokens of the reference page are not there for %s', async (_, headers) => {
    const { status, content } = await ask(headers);
    expect(status).toBe(404);
    expect(content).not.toContain('a token');
  });

  it('the tokens of the reference page are not there for a proxy that speaks HTTP/1.0 and tells nothing, as nginx does unless told', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').end('GET /docs/tokens HTTP/1.0\r\nHost: 127.0.0.1:3000\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
  });
});
