import type { Observer } from '@calends/core';
import { type Backlog, StoreError } from '@calends/core/store';
import express from 'express';
import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLooks } from '../process/look.js';
import { createMetrics, type Metrics } from './metrics.js';

type Signal = Parameters<Observer['observe']>[0];
type Settled = Extract<Signal, { type: 'notificationSettled' }>;

const second = 1000;
const settled: Settled = {
  type: 'notificationSettled',
  notificationId: 'n-1',
  appointmentId: 'a-1',
  channel: 'EMAIL',
  notificationType: 'REMINDER',
  status: 'DELIVERED',
  phase: 'DONE',
  outcome: 'delivered',
  attempt: true,
  attempts: 1,
  lateness: 1500,
  lost: false,
};

let now = 0;
let ask: () => Promise<readonly Backlog[]>;
let asked = 0;
let metrics: Metrics;
let observer: Observer;
let server: Server;
let onWaiting: (response: ServerResponse) => unknown;
let address = '';

beforeEach(async () => {
  [now, asked] = [1_000_000, 0];
  ask = () => Promise.resolve([]);
  const store = {
    backlog: () => {
      asked += 1;
      return ask();
    },
  };
  metrics = createMetrics(store, () => now);
  observer = metrics.observer;
  const pages = express().get('/metrics', metrics.page);
  // Is never answered.
  pages.get('/waits', (_request, response) => void onWaiting(response));
  const application = withLooks([metrics.requests], pages);
  server = createServer(application).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** The samples of the page: text format of Prometheus, version 0.0.4. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${address}/metrics`, { headers: { Connection: 'close' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const sample = /^(?<name>[a-z_]+(?:\{.*\})?) (?<value>\S+)$/.exec(line)?.groups;
      if (sample === undefined) throw new Error(`This is no sample: ${line}`);
      return [sample['name'] ?? '', Number(sample['value'])];
    }),
  );
}

describe('/metrics', () => {
  it('/metrics counts what the worker brings to an end, its attempts, and how late they begin', async () => {
    observer.observe(settled);
    observer.observe({
      ...settled,
      status: 'PENDING',
      phase: 'RETRY_WAIT',
      outcome: 'retry',
      lost: true,
      lateness: -5,
    });
    observer.observe({ ...settled, status: 'CANCELLED', outcome: 'missed', attempt: false });
    observer.observe({
      type: 'deliveryFailed',
      notificationId: 'n',
      channel: 'SMS',
      step: 'send',
      error: new Error('x'),
    });
    const samples = await scrape();
    const found = (start: string) => [...samples].filter(([name]) => name.startsWith(start));
    expect(found('calends_notifications_total')).toEqual([
      ['calends_notifications_total{type="REMINDER",channel="EMAIL",status="DELIVERED"}', 1],
      ['calends_notifications_total{type="REMINDER",channel="EMAIL",status="CANCELLED"}', 1],
    ]);
    expect(found('calends_delivery_attempts_total')).toEqual([
      ['calends_delivery_attempts_total{channel="EMAIL",outcome="delivered"}', 1],
      ['calends_delivery_attempts_total{channel="EMAIL",outcome="retry"}', 1],
    ]);
    expect(found('calends_claims_lost_total')).toEqual([['calends_claims_lost_total{channel="EMAIL"}', 1]]);
    expect(found('calends_delivery_faults_total')).toEqual([
      ['calends_delivery_faults_total{channel="SMS",step="send"}', 1],
    ]);
    const labels = 'channel="EMAIL",type="REMINDER"';
    expect(samples.get(`calends_notification_lateness_seconds_sum{${labels}}`)).toBe(1.5);
    expect(samples.get(`calends_notification_lateness_seconds_bucket{le="1",${labels}}`)).toBe(1);
    expect(samples.get(`calends_notification_lateness_seconds_bucket{le="2",${labels}}`)).toBe(2);
  });

  it('/metrics counts what retention removes, and tells since when nothing is left behind', async () => {
    for (const count of [500, 20]) observer.observe({ type: 'rowsRemoved', kind: 'events', count });
    observer.observe({ type: 'retentionCaughtUp', kind: 'events', at: now });
    const samples = await scrape();
    expect(samples.get('calends_retention_removed_total{kind="events"}')).toBe(520);
    expect(samples.get('calends_retention_caught_up_timestamp_seconds{kind="events"}')).toBe(now / 1000);
  });

  it('/metrics counts reads that readers may answer, by who answered them and why', async () => {
    metrics.shownRead('reader');
    metrics.shownRead('reader');
    metrics.shownRead('primary', 'unseen');
    const samples = await scrape();
    expect(samples.get('calends_shown_reads_total{by="reader",reason="none"}')).toBe(2);
    expect(samples.get('calends_shown_reads_total{by="primary",reason="unseen"}')).toBe(1);
  });

  it('/metrics counts web hook endpoints that were disabled, by application', async () => {
    const names = { organizationId: 'org-1', applicationId: 'app-1', endpointId: 'crm' };
    observer.observe({ type: 'endpointDisabled', ...names, reason: 'it answered 410' });
    expect((await scrape()).get('calends_endpoints_disabled_total{application="app-1"}')).toBe(1);
  });

  it('/metrics counts security events, by kind and by nothing that a client could make up', async () => {
    const event = { reason: 'x', applicationId: 'made-up', source: '8.8.8.8' };
    for (const kind of ['wrongCode', 'wrongCode', 'limited'] as const)
      observer.observe({ type: 'security', kind, ...event });
    const samples = await scrape();
    expect(samples.get('calends_security_events_total{kind="wrongCode"}')).toBe(2);
    expect(samples.get('calends_security_events_total{kind="limited"}')).toBe(1);
    expect([...samples.keys()].join()).not.toMatch(/made-up|8\.8\.8\.8/);
  });

  it('/metrics counts transitions by event, and requests by the template of their route', async () => {
    const event = { type: 'APCreatedEvent' } as Extract<Signal, { type: 'committed' }>['event'];
    observer.observe({ type: 'committed', event });
    await fetch(`${address}/api/v2/appointments/secret-id?secret`, { headers: { Connection: 'close' } });
    const samples = await scrape();
    expect(samples.get('calends_transitions_total{event="APCreatedEvent"}')).toBe(1);
    const route = 'route="/api/v2/appointments/{id}",method="GET"';
    const text = [...samples.keys()].join('\n');
    expect(text).not.toContain('secret');
    expect(samples.get(`calends_http_requests_total{${route},status="404"}`)).toBe(1);
    expect(samples.get(`calends_http_request_duration_seconds_count{${route}}`)).toBe(1);
  });

  it('/metrics counts a request whose client leaves before the end of its answer as unfinished, by no status', async () => {
    const asked = request({ host: '127.0.0.1', port: new URL(address).port, path: '/waits', agent: false });
    const left = new Promise((resolve) => {
      onWaiting = (response) => response.once('close', resolve);
    });
    asked.on('error', () => undefined).end();
    server.once('request', () => asked.destroy());
    await left;
    const route = 'route="unknown",method="GET"';
    const counted = [...(await scrape()).keys()].filter((name) => name.startsWith('calends_http_requests_total'));
    expect(counted).toEqual([`calends_http_requests_total{${route},status="unfinished"}`]);
  });

  it('/metrics shows what waits, and how long the oldest has been due', async () => {
    ask = () =>
      Promise.resolve([
        { channel: 'EMAIL', phase: 'READY', count: 7, oldestWakeAt: now - 30 * second },
        { channel: 'EMAIL', phase: 'SENDING', count: 1, oldestWakeAt: now + 30 * second },
        { channel: 'SMS', phase: 'SUBMITTED', count: 2, oldestWakeAt: null },
        { channel: 'WEBHOOKS', phase: 'RETRY_WAIT', count: 3, oldestWakeAt: now + second },
      ]);
    const first = await scrape();
    expect(first.get('calends_store_answers')).toBe(1);
    expect(first.get('calends_notifications_waiting{channel="EMAIL",phase="READY"}')).toBe(7);
    expect(first.get('calends_notifications_waiting{channel="SMS",phase="SUBMITTED"}')).toBe(2);
    expect(first.get('calends_notifications_waiting{channel="SMS",phase="READY"}')).toBe(0);
    const due = (samples: ReadonlyMap<string, number>) =>
      ['EMAIL', 'SMS', 'WEBHOOKS'].map((channel) => samples.get(`calends_oldest_due_seconds{channel="${channel}"}`));
    expect(due(first)).toEqual([30, 0, 0]);
    now += 5 * second;
    expect(due(await scrape())).toEqual([35, 0, 4]);
  });

  it('/metrics asks the store once in ten seconds, however many scrape at once', async () => {
    await Promise.all([scrape(), scrape(), scrape()]);
    now += 9_999;
    await scrape();
    expect(asked).toBe(1);
    now += 1;
    await scrape();
    expect(asked).toBe(2);
  });

  it('/metrics answers while the store does not, and tells so', async () => {
    observer.observe(settled);
    await scrape();
    ask = () => Promise.reject(new StoreError('unavailable', 'The database does not answer.'));
    now += 10 * second;
    const samples = await scrape();
    expect(samples.get('calends_store_answers')).toBe(0);
    expect([...samples.keys()].filter((name) => /waiting|oldest/.test(name))).toEqual([]);
    expect(samples.get('calends_notifications_total{type="REMINDER",channel="EMAIL",status="DELIVERED"}')).toBe(1);
  });

  it('/metrics touches no registry but its own: two servers may live in one process', async () => {
    const { register } = await import('prom-client');
    expect(() => createMetrics({ backlog: ask })).not.toThrow();
    expect(register.getMetricsAsArray()).toEqual([]);
  });
});
