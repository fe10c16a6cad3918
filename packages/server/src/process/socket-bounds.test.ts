import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { boundSockets, type SocketBounds, socketBounds } from './socket-bounds.js';

const wide: SocketBounds = {
  maxConnections: 100,
  maxPerAddress: 100,
  maxRequests: 100,
  silence: 60_000,
  stillness: 60_000,
};
const opened: Socket[] = [];
let server: Server | undefined;

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  server?.closeAllConnections();
  server?.close();
});

async function serve(bounds: Partial<SocketBounds>, answer?: RequestListener): Promise<number> {
  server = createServer(answer ?? ((_request, response) => void response.end('answer')));
  boundSockets(server, { ...wide, ...bounds });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A connection, and whether the server has taken it: then a request on it is answered. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  opened.push(socket);
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

describe('The connections of the server', () => {
  it('the connections of the server are so many and no more; where one ends another one may come', async () => {
    const port = await serve({ maxConnections: 2 });
    expect([await isTaken(port), await isTaken(port), await isTaken(port)]).toEqual([true, true, false]);
    const ended = opened[0];
    const gone = new Promise<void>((resolve) => {
      const look = (): void => {
        server?.getConnections((_fault, count) => (count < 2 ? resolve() : void setImmediate(look)));
      };
      look();
    });
    ended?.destroy();
    await gone;
    expect(await isTaken(port)).toBe(true);
  });

  it('the connections of the server are not counted by address where the address is not public: it is a proxy of our own', async () => {
    const port = await serve({ maxPerAddress: 1 });
    expect([await isTaken(port), await isTaken(port)]).toEqual([true, true]);
  });

  it('the connections of the server are so many of one public address and no more, while others get in; IPv6 counts by its first 64 bits', async () => {
    const port = await serve({ maxPerAddress: 1 });
    const sources = ['203.0.113.5', '203.0.113.5', '203.0.113.6', '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'];
    // Before the listener of the bounds: a connection over loopback looks as if it came from there.
    server?.prependListener('connection', (socket: Socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: sources.shift() });
    });
    const taken: boolean[] = [];
    while (sources.length > 0) taken.push(await isTaken(port));
    expect(taken).toEqual([true, false, true, true, false, true]);
  });

  it('the connections of the server end when they say nothing before a first request', async () => {
    const port = await serve({ silence: 20 });
    const socket = connect(port, '127.0.0.1');
    opened.push(socket);
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  it('the connections of the server may be silent for longer while a request is under way', async () => {
    let finish: () => void = () => undefined;
    const port = await serve({ silence: 30_000 }, (_request, response) => {
      const { socket } = response;
      finish = () => void response.end(String(socket?.timeout));
      finish();
    });
    const asked = request({ host: '127.0.0.1', port, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const [text] = (await once(response.setEncoding('utf8'), 'data')) as [string];
    expect(text).toBe('60000');
  });

  it('the connections of the server end when their client does not read the answer', async () => {
    const port = await serve(
      { stillness: 50 },
      (_request, response) => void response.end(Buffer.alloc(32 * 1024 ** 2)),
    );
    const socket = connect(port, '127.0.0.1');
    opened.push(socket.pause());
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [{ socket: held }] = (await once(server as Server, 'request')) as [IncomingMessage];
    await once(held, 'close');
    expect(held.destroyed).toBe(true);
  });

  it('the connections of the server take so many requests and are closed after the last one', async () => {
    const port = await serve({ maxRequests: 2 });
    // Node closes it when a connection would have rested for so long.
    if (server !== undefined) server.keepAliveTimeout = 1;
    const socket = connect(port, '127.0.0.1');
    opened.push(socket);
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const ask = () => void socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    ask();
    await once(socket, 'data');
    ask();
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    expect(received).toMatch(/^Connection: close/im);
  });
});

describe('The bounds', () => {
  it.each([
    [1000, 0, { maxConnections: 1000, maxPerAddress: 250 }],
    [1000, 1, { maxConnections: 1000, maxPerAddress: undefined }],
    [1, 0, { maxConnections: 1, maxPerAddress: 1 }],
  ])('the bounds for %i connections behind %i proxies', (connections, proxies, bounds) => {
    expect(socketBounds(connections, proxies)).toMatchObject(bounds);
  });
});
