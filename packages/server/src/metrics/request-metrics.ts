import type { RequestHandler } from 'express';
import { performance } from 'node:perf_hooks';
import { Counter, Histogram, type Registry } from 'prom-client';
import { routeName } from '../http/route-name.js';

/** Seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests by the template of their route: a path itself is whatever a client makes up. */
export function requestMetrics(registry: Registry): RequestHandler {
  const registers = [registry];
  const requests = new Counter({
    name: 'calends_http_requests_total',
    help: 'Requests that are over.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: 'calends_http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer.',
    labelNames: ['route', 'method'],
    buckets: durationBuckets,
    registers,
  });
  return (request, response, next) => {
    const began = performance.now();
    const { method, url } = request;
    response.once('close', () => {
      const route = routeName(method, url.split('?', 1)[0] ?? '');
      requests.inc({ route, method, status: response.statusCode });
      duration.observe({ route, method }, (performance.now() - began) / 1000);
    });
    next();
  };
}
