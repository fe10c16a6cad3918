import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { agentToken, appointment } from './scheduling-client.js';
import type { CalendsProcess } from './server-process.js';

/** Sends a request to schedule but for the last byte of its body; the server has read the rest when this resolves. */
export async function almostScheduled(
  server: CalendsProcess,
): Promise<{ socket: Socket; answer: Promise<string>; rest: string }> {
  const { hostname, port } = new URL(await server.listening());
  const body = JSON.stringify(appointment);
  const head = [
    'POST /api/v2/appointments/ HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${await agentToken()}`,
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
