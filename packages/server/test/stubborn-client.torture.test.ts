import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentToken, SchedulingClient, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();

/** A connection whose request never ends; the server has read its head when this resolves. */
async function stubbornClient(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /api/v2/appointments/ HTTP/1.1',
    `Host: ${hostname}`,
    `Authorization: Bearer ${await agentToken()}`,
    'Content-Type: application/json',
    'Content-Length: 100',
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  return socket;
}

describe('SIGTERM while a client never ends its request', () => {
  it(
    'SIGTERM while a client never ends its request ends the process within ten seconds, with 1',
    { timeout: 60_000 },
    async () => {
      const server = calends(['serve'], { ...secrets, DATABASE_URL: 'memory:', PORT: '0' }, folder());
      const socket = await stubbornClient(await server.listening());
      const began = performance.now();
      expect(await server.signal('SIGTERM')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('took too long'),
      });
      expect(performance.now() - began).toBeLessThan(10_000);
      socket.destroy();
    },
  );

  it(
    'SIGTERM while a client never ends its request waits longer for a message that is being sent, and keeps its outcome',
    { timeout: 60_000 },
    async () => {
      const at = join(folder(), 'slow-send');
      mkdirSync(at);
      let called: (response: ServerResponse) => void = () => undefined;
      const call = new Promise<ServerResponse>((resolve) => (called = resolve));
      const endpoint = createServer((request, response) => {
        request.resume().on('end', () => called(response));
      }).listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`;
      const hook = { id: 'crm', label: 'CRM', url, secret: `whsec_${'A'.repeat(32)}`, allowHttp: true };
      const notifications = { active: true, webhooks: [{ ...hook, allowPrivateNetwork: true, types: ['CREATE'] }] };
      writeFileSync(join(at, 'calends.json'), JSON.stringify({ applications: { 'app-1': { notifications } } }));
      const places = { CALENDS_CONFIG: join(at, 'calends.json'), DATABASE_URL: 'sqlite:./c.db' };
      const variables = { ...secrets, ...places, PORT: '0' };

      const server = calends(['serve'], variables, at);
      const address = await server.listening();
      await new SchedulingClient(address, await agentToken()).schedule();
      const response = await call;
      const socket = await stubbornClient(address);
      const ended = server.signal('SIGTERM');
      // The server has given up the stubborn client, and still waits for the endpoint.
      await once(socket, 'close');
      response.writeHead(204).end();
      expect(await ended).toMatchObject({ code: 1 });
      endpoint.closeAllConnections();
      endpoint.close();

      const list = ['notifications', 'list', '--application', 'app-1', '--json'];
      const { stdout } = await calends(list, variables, at).ended;
      expect(JSON.parse(stdout)).toMatchObject({ content: [{ type: 'CREATE', status: 'DELIVERED', retryCount: 1 }] });
    },
  );
});
