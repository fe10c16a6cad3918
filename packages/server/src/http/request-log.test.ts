import { once } from 'node:events';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { withLooks } from '../process/look.js';
import { requestLog } from './request-log.js';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** The line of a request whose client leaves once the answer has come so far; `answer` says how far that is. */
async function lineOfLeaving(answer: RequestListener): Promise<unknown> {
  const line = new Promise<string>((resolve) => {
    const log = pino({ base: null }, { write: resolve });
    server = createServer(withLooks([requestLog(log)], answer)).listen(0, '127.0.0.1');
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = request({ host: '127.0.0.1', port, path: '/healthz/not', agent: false }).on('error', () => undefined);
  asked.end();
  server.once('request', (_request, response) => {
    if (response.headersSent) asked.once('response', () => asked.destroy());
    else asked.destroy();
  });
  return JSON.parse(await line);
}

describe('The line of a request', () => {
  it('the line of a request whose client leaves before the answer has no status, for nobody was told one', async () => {
    const line = await lineOfLeaving(() => undefined);
    expect(line).toMatchObject({ msg: 'request', unfinished: true });
    expect(line).not.toHaveProperty('status');
  });

  it('the line of a request whose client leaves within the answer has the status that it was told', async () => {
    const line = await lineOfLeaving((_request, response) => void response.writeHead(202).write('a part'));
    expect(line).toMatchObject({ msg: 'request', unfinished: true, status: 202 });
  });
});
