import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { agentToken, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();

describe('SIGTERM while a client never ends its request', () => {
  it('ends the process within ten seconds, with 1', { timeout: 15_000 }, async () => {
    const server = calends(['serve'], { ...secrets, DATABASE_URL: 'memory:', PORT: '0' }, folder());
    const { hostname, port } = new URL(await server.listening());
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
    const began = performance.now();
    expect(await server.signal('SIGTERM')).toMatchObject({ code: 1, stdout: expect.stringContaining('took too long') });
    expect(performance.now() - began).toBeLessThan(10_000);
    socket.destroy();
  });
});
