import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Connections } from './connections.js';

const opened: Socket[] = [];
let server: Server;

afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function serve(answer: RequestListener): Promise<{ connections: Connections; client: Socket }> {
  server = createServer(answer);
  const connections = new Connections(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  client.on('error', () => undefined);
  opened.push(client);
  return { connections, client };
}

const ask = (client: Socket): void => void client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');

/** What comes until the connection is closed. */
async function rest(client: Socket): Promise<string> {
  let received = '';
  client.on('data', (text: string) => (received += text));
  await once(client, 'close');
  return received;
}

describe('Connections of a server that stops', () => {
  it('connections of a server that stops carry the request that was on its way, and close with its answer', async () => {
    const { connections, client } = await serve((_request, response) => void response.end('answer'));
    ask(client);
    await once(client, 'data');
    const drained = connections.drain();
    ask(client);
    expect(await rest(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*answer$/);
    expect(await drained).toBe(0);
  });

  it('connections of a server that stops carry the first request of a client that was on its way', async () => {
    const { connections, client } = await serve((_request, response) => void response.end('answer'));
    await Promise.all([once(server, 'connection'), once(client, 'connect')]);
    const drained = connections.drain();
    ask(client);
    expect(await rest(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*answer$/);
    expect(await drained).toBe(0);
  });

  it('connections of a server that stops carry one request more where an answer had begun without a word of the end', async () => {
    let finish: () => void = () => undefined;
    const { connections, client } = await serve((_request, response) => {
      finish = () => void response.end('end');
      response.write('begin');
    });
    ask(client);
    expect(String(await once(client, 'data'))).toMatch(/Connection: keep-alive\r\n/);
    const drained = connections.drain();
    finish();
    await once(client, 'data');
    ask(client);
    const received = rest(client);
    await once(client, 'data');
    finish();
    expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*begin[^]*end/);
    expect(await drained).toBe(0);
  });

  it('connections of a server that stops close when nothing more comes on them', async () => {
    const { connections, client } = await serve((_request, response) => void response.end('answer'));
    ask(client);
    await once(client, 'data');
    const received = rest(client);
    expect(await connections.drain()).toBe(0);
    expect(await received).toBe('');
  });
});

describe('Connections of a server that stops, after eight seconds', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('connections of a server that stops are hung up on after eight seconds, and those with a request are told', async () => {
    const { connections, client } = await serve((_request, response) => void response.write('begin'));
    ask(client);
    await once(client, 'data');
    const drained = connections.drain();
    vi.advanceTimersByTime(8000);
    expect(await drained).toBe(1);
  });

  it('connections of a server that stops count as finished where the last answer has just ended', async () => {
    let finish: () => Promise<unknown> = () => Promise.resolve();
    const { connections, client } = await serve((_request, response) => {
      finish = () => once(response.end('end'), 'close');
      response.write('begin');
    });
    ask(client);
    await once(client, 'data');
    const drained = connections.drain();
    vi.advanceTimersByTime(7900);
    await finish();
    vi.advanceTimersByTime(100);
    expect(await drained).toBe(0);
  });
});
