import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { certificate, certificateKey } from './certificate.js';

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** What TLS was asked for, if anything. */
  readonly servername: string | false | null | undefined;
}

/** A server on loopback that keeps what it gets. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  /** Connections that were opened to it. */
  readonly connections: () => number;
  /** Ends it and its connections. */
  readonly stop: () => Promise<void>;
}

/** What a receiver does with a request whose body it has read. */
export type Behaviour = (request: ReceivedRequest, response: ServerResponse) => void;

/** Starts one that ends with the test. Default behaviour: 204. */
export async function receiver(
  behaviour: Behaviour = (_request, response) => void response.writeHead(204).end(),
  { tls = false, host = '127.0.0.1', port = 0 } = {},
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = (message, response) => {
    const chunks: Buffer[] = [];
    message.on('error', () => undefined);
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const request = {
        method: message.method ?? '',
        path: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks),
        servername: message.socket instanceof TLSSocket ? message.socket.servername : undefined,
      };
      requests.push(request);
      behaviour(request, response);
    });
  };
  const server = tls
    ? createSecureServer({ cert: certificate, key: certificateKey }, listener)
    : createServer(listener);
  const bound = await listening(server, host, port);
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${String(bound.port)}/hook`,
    port: bound.port,
    requests,
    connections: bound.connections,
    stop: bound.stop,
  };
}

/** Starts any server on loopback; it and its connections end with the test. */
export async function listening(server: Server, host = '127.0.0.1', port = 0) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(stop);
  return { port: (server.address() as AddressInfo).port, connections: () => connections, stop };
}
