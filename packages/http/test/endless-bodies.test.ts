import { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { fetchHandler, nodeHandler } from '../src/index.js';
import { base, bearer, services } from './support/services.js';

const headers = { ...bearer, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

/** Far beyond what is read and thrown away of one that is bounded. */
const beyond = 1_000_000;

/** Hands out one chunk again and again; fails the test where nobody stops it. */
class Endless {
  handedOut = 0;
  readonly #chunk: unknown;

  constructor(chunk: unknown) {
    this.#chunk = chunk;
  }

  next(): unknown {
    this.handedOut += 1;
    if (this.handedOut > beyond) throw new Error('The body should have been given up.');
    return this.#chunk;
  }
}

const chunks: readonly (readonly [string, unknown, number])[] = [
  ['numbers', 5, 400],
  ['objects', { a: 1 }, 400],
  ['objects with a length', { length: 0 }, 400],
  ['lists', [1], 400],
  ['booleans', true, 400],
  ['no bytes at all', new Uint8Array(0), 413],
  ['empty texts', '', 413],
  ['texts', 'x'.repeat(1000), 413],
];

it('A stream whose only chunk is empty is no body', async () => {
  const empty = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(0));
        controller.close();
      },
    });
  const cancel = (): Request =>
    new Request(`http://x${base}/0194222d-ffff-7fff-8fff-ffffffffffff/cancel`, {
      method: 'PUT',
      headers: bearer,
      body: empty(),
      duplex: 'half' as const,
    });
  expect((await fetchHandler(services())(cancel()))?.status).toBe(404);
});

describe('A body without an end that a host made', () => {
  it.each(chunks)(
    'a body without an end that a host made is given up at the door for fetch: %s',
    async (_what, chunk, status) => {
      const endless = new Endless(chunk);
      let cancelled = (): void => undefined;
      const cancellation = new Promise<void>((resolve) => (cancelled = resolve));
      const stream = new ReadableStream({
        pull: (controller) => controller.enqueue(endless.next()),
        cancel: () => cancelled(),
      });
      const sent = { method: 'POST', headers, body: stream, duplex: 'half' as const };
      const answer = await fetchHandler(services({ bodyLimit: 2048 }))(new Request(`http://x${base}`, sent));
      expect(answer?.status).toBe(status);
      await cancellation;
    },
  );

  it.each(chunks)(
    'a body without an end that a host made is given up at the door for node:http: %s',
    async (_what, chunk, status) => {
      const endless = new Endless(chunk);
      const source = new Readable({ objectMode: true, read: () => void source.push(endless.next()) });
      const message = Object.assign(source, {
        method: 'POST',
        url: base,
        headers,
        httpVersionMajor: 1,
        httpVersionMinor: 1,
        socket: new Socket(),
      }) as unknown as IncomingMessage;
      const closed = once(source, 'close');
      const response = new ServerResponse(new IncomingMessage(new Socket()));
      nodeHandler(services({ bodyLimit: 2048 }))(message, response);
      await closed;
      expect(response.statusCode).toBe(status);
    },
  );
});
