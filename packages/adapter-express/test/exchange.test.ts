import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schedulingRouter } from '../src/index.js';
import { exchange } from './support/client.js';
import { doors } from './support/doors.js';
import { type Host, people, startHost, tokenOf } from './support/host.js';
import { created, creation } from './support/requests.js';

const base = '/api/v2/appointments';
const { agent } = people;

/** Request lines that are no address, or not in the usual form; what they are answered with where it is the services' word. */
const requestLines: readonly (readonly [string, string, number | undefined])[] = [
  ['GET //', '//', undefined],
  ['GET //[', '//[', undefined],
  ['GET http://', 'http://', undefined],
  ['GET http://[', 'http://[', undefined],
  ['GET ///', '///', undefined],
  ['GET /\\', '/\\', undefined],
  ['GET ?', '?', undefined],
  ['GET /%', '/%', undefined],
  ['a path with a broken escape', `${base}/%E0%A4%A`, 401],
  ['a query with a broken escape', `${base}/?a=%`, 401],
  ['a path of 10,000 characters', `${base}/${'x'.repeat(10_000)}`, 401],
  ['the whole address', `http://x${base}/count`, 401],
  ['a fragment', `${base}/count#x`, 401],
];

describe.each(Object.entries(doors))('an exchange through %s', (_door, door) => {
  let host: Host;
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  beforeAll(async () => {
    process.on('unhandledRejection', note);
    host = await startHost({ door });
  });
  afterAll(async () => {
    await host.close();
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  /** Writes to a connection as it is and gives back what came until it was closed or enough came. */
  function raw(parts: readonly string[], until: RegExp | 'hangUp'): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(host.port, '127.0.0.1');
      let received = '';
      socket.on('error', reject);
      socket.on('close', () => resolve(received));
      socket.on('data', (chunk) => {
        received += chunk.toString('utf8');
        if (until !== 'hangUp' && until.test(received)) socket.destroy();
      });
      for (const part of parts) socket.write(part);
      if (until === 'hangUp') socket.end(() => socket.destroy());
    });
  }

  const head = async (length: number, more = ''): Promise<string> =>
    `POST ${base}/ HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await tokenOf(agent)}\r\n` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n${more}\r\n`;

  it.each(requestLines)('the request line of %s ends nothing', async (_line, target, status) => {
    const answer = await raw([`GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`], /\r\n\r\n/);
    expect(answer).toMatch(status === undefined ? /^HTTP\/1\.1 40[04] / : /^HTTP\/1\.1 401 /);
    expect(host.faults).toEqual([]);
    expect((await host.call('GET', `${base}/`)).status).toBe(401);
  });

  it('HEAD is answered as GET, with its length and without its body', async () => {
    const { id } = await created(host);
    const get = await host.call('GET', `${base}/${id}`, { as: agent });
    const head = await host.call('HEAD', `${base}/${id}`, { as: agent });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    const refused = await host.call('HEAD', `${base}/${id}`);
    expect([refused.status, refused.text]).toEqual([401, '']);
  });

  it('a body without a length is read from the message, and none is none without any header', async () => {
    expect((await host.call('POST', `${base}/`, { as: agent, json: creation(), chunked: true })).status).toBe(200);
    const { id } = await created(host);
    const line = `PUT ${base}/${id}/cancel HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await tokenOf(agent)}\r\n\r\n`;
    expect(await raw([line], /\r\n\r\n/)).toMatch(/^HTTP\/1\.1 204 /);
  });

  it('a body over the limit is 413 before it was sent', async () => {
    expect(await raw([await head(10_000_000)], /\r\n\r\n\{/)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('credentials are checked before the body is read', async () => {
    const start = `POST ${base}/ HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`;
    expect(await raw([start], /\r\n\r\n\{/)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('an aborted upload has no effect and no fault', async () => {
    const before = host.events.length;
    for (let tried = 0; tried < 5; tried += 1) await raw([await head(1000), '{"applicationId":"app-1",'], 'hangUp');
    await created(host);
    expect(host.events).toHaveLength(before + 1);
    expect(host.faults).toEqual([]);
  });

  it('a connection serves the next request after a refused upload', async () => {
    const refused = (await head(300_000)) + `"${'x'.repeat(299_998)}"`;
    const next = `GET ${base}/count HTTP/1.1\r\nhost: x\r\n\r\n`;
    const received = await raw([refused, next], /401 Unauthorized[^]*\r\n\r\n\{/);
    expect(received).toMatch(/^HTTP\/1\.1 413 [^]*HTTP\/1\.1 401 /);
  });

  it('an upload that does not end is hung up on', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const start = (await head(0)).replace('content-length: 0', 'transfer-encoding: chunked');
    const socket = connect(host.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => {
      socket.on('close', () => resolve());
      socket.on('error', () => undefined);
    });
    let answered = '';
    socket.on('data', (data) => (answered += data.toString('utf8')));
    const push = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', push);
    socket.write(start);
    push();
    await closed;
    expect(answered).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('the client’s request id is used when it is safe, in the answer and in the events', async () => {
    const send = (id: string) =>
      host.call('POST', `${base}/`, { as: agent, json: creation(), headers: { 'x-request-id': id } });
    expect((await send('req-1.a_b~c')).headers['x-request-id']).toBe('req-1.a_b~c');
    expect(host.events.at(-1)?.correlationId).toBe('req-1.a_b~c');
    expect((await send('<script>')).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a problem comes as application/json where the client takes only that (D36)', async () => {
    const { status, headers, body } = await exchange(host.port, 'GET', `${base}/`, {
      headers: { accept: 'application/json' },
    });
    expect([status, headers['content-type'], body.code]).toEqual([401, 'application/json', 'unauthenticated']);
  });

  it('every 401 is the same, whatever was wrong with the token', async () => {
    const tokens = ['x', 'a.b.c', `${await tokenOf(agent)}x`, 'e'.repeat(9000), await tokenOf({ ...agent, exp: 1 })];
    const seen = new Set<string>();
    for (const token of tokens) {
      const { status, headers, body } = await host.call('GET', `${base}/`, {
        as: token,
        headers: { 'x-request-id': 'same' },
      });
      const { date: _date, ...others } = headers;
      seen.add(JSON.stringify([status, others, body]));
    }
    expect(seen.size).toBe(1);
  });

  it('a hook of the host that throws takes no answer away', async () => {
    const strict = await startHost({
      door,
      http: {
        authentication: { verify: () => Promise.reject(new Error('down')) },
        onFault: () => {
          throw new Error('hook');
        },
      },
    });
    expect((await strict.call('GET', `${base}/`, { as: agent })).status).toBe(500);
    await strict.close();
  });
});

describe('the router of Express', () => {
  let host: Host;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  it('a response that the host has ended already is left alone', async () => {
    const ended = await startHost({
      build: (app, router) => {
        app.use((_request, response, next) => {
          response.status(202).end('host');
          next();
        });
        app.use(router);
      },
    });
    const { status, text } = await exchange(ended.port, 'GET', `${base}/`);
    expect([status, text]).toEqual([202, 'host']);
    await ended.close();
  });

  it('options that are missing or misspelt throw at start', () => {
    expect(() => schedulingRouter(host.scheduling, {} as never)).toThrow('authentication');
    expect(() =>
      schedulingRouter(host.scheduling, { authentication: { secret: 'x'.repeat(32) }, bodylimit: 1 } as never),
    ).toThrow('did you mean bodyLimit');
  });

  it('the router of Express adds no listeners to the process', () => {
    const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
    const before = listeners();
    schedulingRouter(host.scheduling, { authentication: { secret: 'x'.repeat(32) } });
    expect(listeners()).toEqual(before);
  });
});
