import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listening, receiver } from './support/receiver.js';
import { attempt, localEndpoint, messageFor, notifier } from './support/sending.js';

/** A server that answers the first bytes of a request as it likes. */
async function raw(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => answer(socket)));
  const { port } = await listening(server);
  return `http://127.0.0.1:${String(port)}/hook?key=of-the-url`;
}

const head = 'HTTP/1.1 200 OK\r\n';

afterEach(() => void vi.useRealTimers());

describe('a request without an answer', () => {
  it.each([
    ['a connection that ends', (socket: Socket) => void socket.end()],
    ['a connection that is reset', (socket: Socket) => void socket.resetAndDestroy()],
    ['a head that breaks off', (socket: Socket) => void socket.end(`${head}x: text of the receiver`)],
    ['an answer that is no HTTP', (socket: Socket) => void socket.end('text of the receiver\r\n\r\n')],
    ['a head without bounds', (socket: Socket) => void socket.end(`${head}x: ${'y'.repeat(100_000)}`)],
    [
      'another protocol',
      (socket: Socket) => void socket.end('HTTP/1.1 101 x\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('a request without an answer has an unknown outcome: %s', async (_why, answer) => {
    const result = await notifier().send(messageFor(localEndpoint(await raw(answer))), attempt());
    expect(result).toEqual({
      status: 'unknown',
      error: expect.stringMatching(/^The request was sent and no answer came \([A-Z0-9_]+\)\.$/),
    });
  });

  const timedOut = { status: 'unknown', error: 'The request was sent and no answer came (ETIMEDOUT).' };

  it.each([
    ['nothing comes', () => undefined],
    ['its head never ends', (socket: Socket) => void socket.write(`${head}x: text of the receiver`)],
  ])('a request without an answer has an unknown outcome after 15 s: %s', async (_why, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const settled = vi.fn();
    let arrived: () => void = () => undefined;
    const underWay = new Promise<void>((resolve) => (arrived = resolve));
    const url = await raw((socket) => {
      answer(socket);
      arrived();
    });
    const sending = notifier().send(messageFor(localEndpoint(url)), attempt());
    void sending.then(settled);
    await underWay;
    vi.advanceTimersByTime(14_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(await sending).toEqual(timedOut);
  });

  it('a request without an answer has an unknown outcome when the caller takes its slot back', async () => {
    const controller = new AbortController();
    const url = await raw(() => controller.abort());
    expect(await notifier().send(messageFor(localEndpoint(url)), attempt(controller.signal))).toEqual(timedOut);
  });

  it('a request without an answer was never sent when the caller has given up before', async () => {
    const { url, connections } = await receiver();
    const result = await notifier().send(messageFor(localEndpoint(url)), attempt(AbortSignal.abort()));
    expect(result).toEqual({ status: 'failed', permanent: false, error: 'No connection could be made (ETIMEDOUT).' });
    expect(connections()).toBe(0);
  });

  it('a request without an answer was never sent when the caller gives up while the name is resolved', async () => {
    const controller = new AbortController();
    let answer: (addresses: readonly string[]) => void = () => undefined;
    const resolve = () => {
      controller.abort();
      return new Promise<readonly string[]>((resolved) => (answer = resolved));
    };
    const server = createServer();
    const ended = new Promise<number>((done) => {
      server.on('connection', (socket) => socket.resume().on('close', () => done(socket.bytesRead)));
    });
    const { port } = await listening(server);
    const url = `http://hook.test:${String(port)}/`;
    expect(await notifier({ resolve }).send(messageFor(localEndpoint(url)), attempt(controller.signal))).toEqual({
      status: 'failed',
      permanent: false,
      error: 'No connection could be made (ETIMEDOUT).',
    });
    // The connection comes about all the same: it is ended before a byte is written to it.
    answer(['127.0.0.1']);
    expect(await ended).toBe(0);
  });
});

describe('the status line decides', () => {
  it.each([
    ['a body that never comes', (socket: Socket) => void socket.write(`${head}content-length: 10\r\n\r\n`)],
    ['a body that breaks off', (socket: Socket) => void socket.end(`${head}content-length: 10\r\n\r\nx`)],
    ['a body that is no chunk', (socket: Socket) => void socket.write(`${head}transfer-encoding: chunked\r\n\r\nno`)],
    ['a body without end', (socket: Socket) => flood(socket)],
  ])('the status line decides when it is followed by %s, and the connection is ended', async (_why, answer) => {
    let ended: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (ended = resolve));
    const url = await raw((socket) => {
      socket.on('close', ended);
      answer(socket);
    });
    const result = await notifier().send(messageFor(localEndpoint(url)), attempt());
    expect(result).toEqual({ status: 'delivered', providerStatus: '200' });
    await closed;
  });

  it('no more than 64 KB of a body are read, however much time there is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const result = await notifier().send(messageFor(localEndpoint(await raw(flood))), attempt());
    expect(result).toEqual({ status: 'delivered', providerStatus: '200' });
  });

  /** Writes as long as somebody reads. */
  function flood(socket: Socket): void {
    const piece = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    socket.write(`${head}\r\n`);
    more();
  }
});
