import type { Observer } from '@calends/core';
import type { NotificationStore } from '@calends/core/store';
import type { OnShownRead } from '@calends/store-knex';
import type { RequestHandler } from 'express';
import { Counter, Histogram, Registry } from 'prom-client';
import type { Look } from '../process/look.js';
import { backlogMetrics, BacklogReader } from './backlog.js';
import { signalMetrics } from './signal-metrics.js';
import { performance } from 'node:perf_hooks';
import { routeName } from './route-name.js';

/** What the server counts about itself; free of ids and of personal data. */
export interface Metrics {
  /** Hears the library's signals. */
  readonly observer: Observer;
  /** Hears who answered a read that readers may answer. */
  readonly shownRead: OnShownRead;
  /** Sees every request. */
  readonly requests: Look;
  /** `GET /metrics`, in the text format of Prometheus; answers also while the store does not. */
  readonly page: RequestHandler;
}

/** Makes the page from a registry; `undefined` = there is none at the moment. */
type PageOf = (registry: Registry) => () => Promise<string | undefined>;

const ownPage: PageOf = (registry) => () => registry.metrics();

/**
 * Makes the metrics, in a registry of their own: the global one of prom-client is the host's.
 *
 * @param pageOf what the page shows. Default: the registry
 */
export function createMetrics(
  store: Pick<NotificationStore, 'backlog'>,
  now: () => number = Date.now,
  pageOf: PageOf = ownPage,
): Metrics {
  const registry = new Registry();
  const requests = requestMetrics(registry);
  const observer = signalMetrics(registry);
  backlogMetrics(registry, new BacklogReader(store, now), now);
  processorMetric(registry);
  const page = pageOf(registry);
  return {
    observer,
    shownRead: readerMetric(registry),
    requests,
    page: async (_request, response) => {
      const text = await page();
      if (text === undefined) response.status(503);
      response.set({ 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text);
    },
  };
}

/** Reads that are only shown, by whom they were answered, and why by the primary. */
function readerMetric(registry: Registry): OnShownRead {
  const reads = new Counter({
    name: 'calends_shown_reads_total',
    help: 'Reads that a reader may answer, by who answered them; where it was the primary, why.',
    labelNames: ['by', 'reason'],
    registers: [registry],
  });
  return (by, reason) => {
    reads.inc({ by, reason: reason ?? 'none' });
  };
}

/** Under the name that every exporter gives it. */
export function processorMetric(registry: Registry): void {
  let told = 0;
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, user and system.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      const spent = (user + system) / 1e6;
      this.inc(spent - told);
      told = spent;
    },
  });
}

/** Seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts requests by the template of their route: a path itself is whatever a client makes up. */
export function requestMetrics(registry: Registry): Look {
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
  return (request, response) => {
    const began = performance.now();
    const { method = '', url = '' } = request;
    response.once('close', () => {
      const route = routeName(method, url.split('?', 1)[0] ?? '');
      // Of what its client left, the status may never have been sent, and is 200 until one is set.
      requests.inc({ route, method, status: response.writableFinished ? response.statusCode : 'unfinished' });
      duration.observe({ route, method }, (performance.now() - began) / 1000);
    });
  };
}
