import { createServer, type IncomingMessage, request as httpRequest, type RequestListener } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type HostCaller, nodeHandler } from '../src/index.js';
import { agent, base, bearer, creation, services } from './support/services.js';

const open: { close(): unknown }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

async function addressOf(server: NetServer): Promise<string> {
  open.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const serve = (listener: RequestListener): Promise<string> => addressOf(createServer(listener));
const json = { ...bearer, 'content-type': 'application/json' };

/** Posts each part by itself, so that the message has several chunks. */
async function sentInParts(url: string, parts: readonly Buffer[]): Promise<number | undefined> {
  const request = httpRequest(url, { method: 'POST', headers: json });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  });
  for (const part of parts) {
    request.write(part);
    await setTimeout(20);
  }
  request.end();
  return await status;
}
const body = JSON.stringify(creation);

describe('the door for node:http', () => {
  it('the door for node:http answers 404 as a problem to what is none of the services’, where there is nobody next', async () => {
    const address = await serve(nodeHandler(services()));
    const { status, headers } = await fetch(`${address}/health`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('the door for node:http answers 404 as plain JSON to a client that takes nothing else (D36)', async () => {
    const address = await serve(nodeHandler(services()));
    const { headers } = await fetch(`${address}/health`, { headers: { accept: 'application/json' } });
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('the door for node:http hands what is none of the services’ to the next, untouched', async () => {
    const handle = nodeHandler(services());
    const address = await serve((message, response) =>
      handle(message, response, () => response.end(`${message.method ?? ''} ${message.url ?? ''}`)),
    );
    expect(await (await fetch(`${address}/health?x=1`)).text()).toBe('GET /health?x=1');
    expect((await fetch(address + base)).status).toBe(401);
  });

  it('the door for node:http is below a base path, and nowhere else', async () => {
    const address = await serve(nodeHandler(services(), { basePath: '/calends' }));
    expect((await fetch(`${address}/calends${base}`)).status).toBe(401);
    for (const path of [base, `/calendsx${base}`, '/calends']) expect((await fetch(address + path)).status).toBe(404);
  });

  it.each<[string, (text: string) => unknown, number]>([
    ['parsed JSON', (text) => JSON.parse(text) as unknown, 200],
    ['a text', (text) => text, 200],
    ['a Buffer', (text) => Buffer.from(text), 200],
    ['nothing', () => undefined, 400],
  ])('the door for node:http takes what a parser of the host left in body: %s', async (_, parse, status) => {
    const handle = nodeHandler(services());
    const address = await serve((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        handle(Object.assign(message, { body: parse(Buffer.concat(chunks).toString()) }), response);
      });
    });
    expect((await fetch(address + base, { method: 'POST', headers: json, body })).status).toBe(status);
  });

  it.each<[BufferEncoding, number]>([
    ['utf8', 1],
    ['utf8', 2],
    ['latin1', 2],
    ['base64', 2],
  ])(
    'the door for node:http reads a message whose encoding the host has set: %s, in %d parts',
    async (encoding, count) => {
      const handle = nodeHandler(services());
      const address = await serve((message, response) => {
        handle(message.setEncoding(encoding), response);
      });
      const sent = Buffer.from(JSON.stringify({ ...creation, timezone: 'Europe/Vienna', notes: 'Ä€😀' }));
      const parts = count === 1 ? [sent] : [sent.subarray(0, -5), sent.subarray(-5)];
      expect(await sentInParts(address + base, parts)).toBe(200);
      expect(await sentInParts(address + base, [Buffer.alloc(200_000, 'x'), Buffer.alloc(200_000, 'x')])).toBe(413);
    },
  );

  it('the door for node:http hands the message to the caller of the host (D77)', async () => {
    type WithUser = IncomingMessage & { readonly user: string | undefined };
    const handle = nodeHandler<WithUser>(services({ authentication: 'host' }), {
      caller: ({ user }): HostCaller | undefined => (user === 'agent-1' ? { caller: agent } : undefined),
    });
    const address = await serve((message, response) => {
      const user = message.headers.cookie?.slice('user='.length);
      handle(Object.assign(message, { user }), response);
    });
    const send = async (headers: Record<string, string>): Promise<number> =>
      (
        await fetch(address + base, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        })
      ).status;
    expect(await send({ cookie: 'user=agent-1', origin: address })).toBe(200);
    expect(await send({ cookie: 'user=agent-1', origin: 'https://evil.example' })).toBe(403);
    expect(await send({ cookie: 'user=agent-1' })).toBe(403);
    expect(await send({ origin: address })).toBe(401);
  });

  it('the door for node:http serves HTTP/2, which announces no body by headers', async () => {
    const client = connectHttp2(await addressOf(createHttp2(nodeHandler(services()) as never)));
    open.unshift(client);
    const send = (headers: object, sent?: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const stream = client.request(
          { ':path': base, ':method': 'POST', ...bearer, ...headers },
          { endStream: sent === undefined },
        );
        stream
          .on('response', (answer) => resolve(answer[':status']))
          .on('error', reject)
          .resume();
        if (sent !== undefined) stream.end(sent);
      });
    expect(await send({ 'content-type': 'application/json' }, body)).toBe(200);
    expect(await send({ 'content-type': 'text/plain' }, body)).toBe(415);
    expect(await send({})).toBe(400);
  });

  it.each<[string, object]>([
    ['basePath', { basePath: '/' }],
    ['basePath', { basePath: ['/calends'] }],
    ['basePath', { basePath: null }],
    ['trustProxy', { trustProxy: 1.5 }],
    ['caller', { caller: true }],
    ['unknown option address', { address: () => undefined }],
  ])('the door for node:http checks its options at start: %s of %j', (name, options) => {
    expect(() => nodeHandler(services(), options)).toThrow(name);
  });

  it.each([[null], ['/calends'], [5], [[]]])(
    'the door for node:http names options that are no object: %j',
    (options) => {
      expect(() => nodeHandler(services(), options as object)).toThrow(new TypeError('options: must be an object.'));
    },
  );

  it('the door for node:http refuses to go without a caller where nothing else says who calls', () => {
    expect(() => nodeHandler(services({ authentication: 'host' }))).toThrow(
      /^options\.caller: is required with authentication: 'host'; /,
    );
    expect(() => nodeHandler(services({ authentication: 'host' }), { caller: () => undefined })).not.toThrow();
    // A host may say it in the request itself, through services of its own.
    const { match, handle } = services({ authentication: 'host' });
    expect(() => nodeHandler({ match, handle })).not.toThrow();
  });

  it('the door for node:http refuses what is no services', () => {
    expect(() => nodeHandler({} as never)).toThrow('schedulingHttp');
  });
});
