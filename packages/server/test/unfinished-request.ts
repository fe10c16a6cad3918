import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { agentToken, appointment } from './scheduling-client.js';
import type { CalendsProcess } from './server-process.js';

/** A request whose answer waits for its end. */
interface Unfinished {
  readonly socket: Socket;
  readonly answer: Promise<string>;
  readonly rest: string;
}

/** Sends a request to schedule but for the last byte of its body; the server has read the rest when this resolves. */
export function almostScheduled(server: CalendsProcess): Promise<Unfinished> {
  return almostSent(server, 'POST', appointment);
}

/** The same for a request that schedules or updates, by an agent unless there is another token. */
export async function almostSent(
  server: CalendsProcess,
  method: 'POST' | 'PUT',
  content: object,
  token?: string,
): Promise<Unfinished> {
  const { hostname, port } = new URL(await server.listening());
  const body = JSON.stringify(content);
  const head = [
    `${method} /api/v2/appointments/ HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${token ?? (await agentToken())}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // "100 Continue" says that the request has arrived.
  await once(socket, 'data');
  socket.write(body.slice(0, -1));
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  return { socket, answer: once(socket, 'close').then(() => received), rest: body.slice(-1) };
}
