import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Log } from '../log/log.js';
import { routeName } from '../metrics/route-name.js';
import type { Look } from '../process/look.js';

const requestIdHeader = 'x-request-id';
const safeId = /^[\w.~-]{1,128}$/;
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Gives every request an id, and writes one line for it when it is over; probes only at level `debug`. */
export function requestLog(log: Log): Look {
  return (request, response) => {
    const began = performance.now();
    const { method = '', url = '' } = request;
    const requestId = requestIdOf(request.headers[requestIdHeader]);
    // The services of the library take the same id from here, into problems, events and fault reports.
    request.headers[requestIdHeader] = requestId;
    response.setHeader(requestIdHeader, requestId);
    response.once('close', () => {
      const route = routeName(method, url.split('?', 1)[0] ?? '');
      const durationMs = Math.round((performance.now() - began) * 10) / 10;
      const status = response.headersSent ? { status: response.statusCode } : {};
      const unfinished = response.writableFinished ? {} : { unfinished: true };
      const fields = { requestId, method, route, ...status, durationMs, ...unfinished };
      log[probes.has(route) ? 'debug' : 'info'](fields, 'request');
    });
  };
}

function requestIdOf(sent: string | readonly string[] | undefined): string {
  return typeof sent === 'string' && safeId.test(sent) ? sent : randomUUID();
}
