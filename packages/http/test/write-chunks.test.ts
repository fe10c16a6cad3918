import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { writeChunks } from '../src/doors/node-door.js';
import { endless, type Source, source } from './support/sources.js';

/** Far longer than a test runs. */
const never = 600_000;

/** One exchange: what the client got, and how writing ended. */
interface Exchanged {
  readonly client: Socket;
  readonly received: () => string;
  readonly closed: Promise<void>;
  readonly written: Promise<unknown>;
}

describe('an answer that flows', () => {
  const open: (() => void)[] = [];
  afterEach(() => open.splice(0).forEach((close) => close()));

  /** Serves one answer to one client. */
  async function exchange(
    { chunks }: Source,
    { stillness = never, reads = true, prepare = (): void => undefined }: Partial<Exchanging> = {},
  ): Promise<Exchanged> {
    let tell: (written: unknown) => void = () => undefined;
    const written = new Promise((resolve) => (tell = resolve));
    const server = createServer((_, response) => {
      prepare(response);
      writeChunks(response, chunks, stillness).then(() => tell('whole'), tell);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let received = '';
    const closed = new Promise<void>((resolve) => client.on('close', () => resolve()));
    client.on('error', () => undefined);
    if (reads) client.on('data', (data) => (received += data.toString('utf8')));
    else client.pause();
    client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    open.push(() => {
      client.destroy();
      server.closeAllConnections();
      server.close();
    });
    return { client, received: () => received, closed, written };
  }

  it('an answer that flows ends after its last chunk', async () => {
    const given = source((index) => Promise.resolve(['[1', ',2', ']'][index]));
    const { received, closed, written } = await exchange(given);
    expect(await written).toBe('whole');
    await closed;
    const [, chunked = ''] = received().split(/\r\n\r\n(.*)/s);
    // Node may join what is there at once: sizes and texts come in turns all the same.
    const [last, ...lines] = chunked.split('\r\n').toReversed().slice(2);
    expect([
      last,
      lines
        .filter((_, place) => place % 2 === 0)
        .toReversed()
        .join(''),
    ]).toEqual(['0', '[1,2]']);
    expect(received()).toMatch(/\r\n0\r\n\r\n$/);
  });

  it('an answer that flows has no end when its source fails', async () => {
    const fault = new Error('broken');
    const given = source((index) => (index === 0 ? Promise.resolve('[1') : Promise.reject(fault)));
    const { received, closed, written } = await exchange(given);
    expect(await written).toBe(fault);
    await closed;
    expect(received()).not.toMatch(/\r\n0\r\n/);
  });

  it('an answer that flows is not read faster than its client reads', async () => {
    const given = endless();
    const { client, written } = await exchange(given, { reads: false });
    // Once nothing was taken for some turns, what lies between the two sides is full.
    for (let quiet = 0, seen = given.asked; quiet < 50; seen = given.asked) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = given.asked === seen ? quiet + 1 : 0;
    }
    expect(given.asked).toBeLessThan(1000);
    client.destroy();
    await written;
  });

  it('an answer that flows stops its source when its client goes away', async () => {
    const given = endless();
    const { client, written } = await exchange(given);
    await new Promise<void>((resolve) => client.once('data', () => resolve()));
    client.destroy();
    expect(await written).toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    expect(given.stopped).toBe(1);
  });

  it('an answer that flows stops its source when the answer was over before', async () => {
    const given = endless();
    const { written } = await exchange(given, { prepare: (response) => void response.destroy() });
    expect(await written).toBeInstanceOf(Error);
    expect([given.stopped, given.asked < 3]).toEqual([1, true]);
  });

  it.each([
    ['its client does not read', () => endless(), false],
    [
      'its source stands still',
      () => source((index) => (index === 0 ? Promise.resolve('[1') : new Promise(() => undefined))),
      true,
    ],
  ] as const)('an answer that flows ends without an end when %s', async (_, make, reads) => {
    const { received, closed, written } = await exchange(make(), { stillness: 50, reads });
    expect(await written).toMatchObject({ name: 'AbortError' });
    if (reads) await closed;
    expect(received()).not.toMatch(/\r\n0\r\n/);
  });
});

interface Exchanging {
  readonly stillness: number;
  readonly reads: boolean;
  readonly prepare: (response: ServerResponse) => void;
}
