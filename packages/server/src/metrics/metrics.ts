import type { NotificationStore, Observer } from '@calends/core';
import type { RequestHandler } from 'express';
import { Registry } from 'prom-client';
import { backlogMetrics } from './backlog-metrics.js';
import { BacklogReader } from './backlog.js';
import { requestMetrics } from './request-metrics.js';
import { signalMetrics } from './signal-metrics.js';

/** What the server counts about itself; free of ids and of personal data. */
export interface Metrics {
  /** Hears the library's signals. */
  readonly observer: Observer;
  /** Sees every request; to be mounted first. */
  readonly requests: RequestHandler;
  /** `GET /metrics`, in the text format of Prometheus; answers also while the store does not. */
  readonly page: RequestHandler;
}

/** Makes the metrics, in a registry of their own: the global one of prom-client is the host's. */
export function createMetrics(
  store: Pick<NotificationStore, 'notificationBacklog'>,
  now: () => number = Date.now,
): Metrics {
  const registry = new Registry();
  const requests = requestMetrics(registry);
  const observer = signalMetrics(registry);
  backlogMetrics(registry, new BacklogReader(store, now), now);
  return {
    observer,
    requests,
    page: async (_request, response) => {
      const text = await registry.metrics();
      response.set({ 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).end(text);
    },
  };
}
