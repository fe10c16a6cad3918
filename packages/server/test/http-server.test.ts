import express from 'express';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../src/log/log.js';
import { lastResort, nothingThere } from '../src/http/last-resort.js';
import { referencePage } from '../src/http/reference-page.js';
import { withLooks } from '../src/process/look.js';
import { requestLog } from '../src/http/request-log.js';
import { httpServer, listen } from '../src/process/http-server.js';

const log = createLog('silent');
let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** What a server with one page answers to a request line with this target. */
async function answerTo(target: string, headers: OutgoingHttpHeaders = {}) {
  const application = express();
  application.get('/page', (_request, response) => void response.type('text/plain').send('the page'));
  application.use('/docs', referencePage(fileURLToPath(new URL('../src/reference-page/', import.meta.url))));
  application.use(nothingThere).use(lastResort(log));
  server = httpServer(withLooks([requestLog(log)], application));
  const port = await listen(server, 0, '127.0.0.1');
  const asked = request({ host: '127.0.0.1', port, path: target, headers, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, type: response.headers['content-type'] };
}

describe('What is nowhere', () => {
  it.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, application/problem+json', 'application/problem+json'],
    ['application/json, */*;q=0.1', 'application/problem+json'],
    ['text/html', 'application/problem+json'],
  ])('a client that accepts %s is told of an address that is nowhere as %s (D36)', async (accept, type) => {
    expect(await answerTo('/api/appointments/1/cancel', { accept })).toEqual({ status: 404, type });
  });
});

describe('The target of a request', () => {
  it.each(['/page', '/page?a=b', 'http://any.example/page', 'https://any.example:8443/page?a=b'])(
    'the target of a request as a path and as a whole address names the same page: %s',
    async (target) => {
      expect(await answerTo(target)).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    },
  );

  it.each(['*', 'http://[', 'http://[/page', 'http://a:99999/page', 'x://]/page', '//[/page', '/pag%'])(
    'the target of a request that is no path here is answered with a problem, never with HTML: %s',
    async (target) => {
      expect(await answerTo(target)).toEqual({ status: 404, type: 'application/problem+json' });
    },
  );
});

describe('The reference page', () => {
  it.each(['bytes=0-9', 'bytes=9999999-'])(
    'the reference page comes as a whole to who asks for a part of it: %s',
    async (range) => {
      expect(await answerTo('/docs/', { range })).toEqual({ status: 200, type: 'text/html; charset=utf-8' });
    },
  );

  it.each([{ 'if-match': '"x"' }, { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }])(
    'the reference page is there, and another than a client says that it has, for %j',
    async (headers) => {
      expect(await answerTo('/docs/', headers)).toEqual({ status: 412, type: 'application/problem+json' });
    },
  );
});
