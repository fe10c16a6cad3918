import type * as Api from '@opentelemetry/api';
import type * as ContextHooks from '@opentelemetry/context-async-hooks';
import type * as Core from '@opentelemetry/core';
import type * as ExpressTraces from '@opentelemetry/instrumentation-express';
import type * as HttpTraces from '@opentelemetry/instrumentation-http';
import type * as PgTraces from '@opentelemetry/instrumentation-pg';
import type * as Sdk from '@opentelemetry/sdk-trace-base';
import { createScheduling, type DomainEvent, type Scheduling } from '@calends/core';
import type { SendResult } from '@calends/core/notifier';
import { fetchHandler, nodeHandler, schedulingHttp } from '@calends/http';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { memoryStore } from '@calends/store-memory';
import { getRequestListener } from '@hono/node-server';
import type express from 'express';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type * as Http from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { schedulingRouter } from '../src/index.js';
import { everyChannel } from './support/notified-host.js';

// What they watch must be required, and after them; nor are they packages that a bundler's way of resolving finds.
const required = createRequire(import.meta.url);
const { context, SpanKind, trace } = required('@opentelemetry/api') as typeof Api;
const { AsyncLocalStorageContextManager } = required('@opentelemetry/context-async-hooks') as typeof ContextHooks;
const { getRPCMetadata } = required('@opentelemetry/core') as typeof Core;
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = required(
  '@opentelemetry/sdk-trace-base',
) as typeof Sdk;
const { ExpressInstrumentation } = required('@opentelemetry/instrumentation-express') as typeof ExpressTraces;
const { HttpInstrumentation } = required('@opentelemetry/instrumentation-http') as typeof HttpTraces;
const { PgInstrumentation } = required('@opentelemetry/instrumentation-pg') as typeof PgTraces;

type ReadableSpan = Sdk.ReadableSpan;

/** Tells of each span that begins, and keeps those that have ended. */
class Spans implements Sdk.SpanProcessor {
  readonly #ended = new InMemorySpanExporter();
  readonly #keep = new SimpleSpanProcessor(this.#ended);
  readonly #begun = new Map<string, number>();
  #watchers: (() => void)[] = [];

  onStart({ name }: ReadableSpan): void {
    this.#begun.set(name, (this.#begun.get(name) ?? 0) + 1);
    for (const look of this.#watchers) look();
  }

  onEnd(span: ReadableSpan): void {
    this.#keep.onEnd(span);
    for (const look of this.#watchers) look();
  }

  get all(): readonly ReadableSpan[] {
    return this.#ended.getFinishedSpans();
  }

  named(name: string): readonly ReadableSpan[] {
    return this.all.filter((span) => span.name === name);
  }

  /** Once so many of a name have begun. */
  begun(name: string, count: number): Promise<void> {
    return this.#when(() => (this.#begun.get(name) ?? 0) >= count);
  }

  /** Once so many requests were answered. */
  answered(count: number): Promise<void> {
    return this.#when(() => this.all.filter(({ kind }) => kind === SpanKind.SERVER).length >= count);
  }

  reset(): void {
    this.#ended.reset();
    this.#begun.clear();
  }

  forceFlush(): Promise<void> {
    return this.#keep.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#keep.shutdown();
  }

  #when(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (holds()) resolve();
      };
      this.#watchers.push(look);
      look();
    });
  }
}

const spans = new Spans();
const provider = new BasicTracerProvider({ spanProcessors: [spans] });
const contexts = new AsyncLocalStorageContextManager().enable();
context.setGlobalContextManager(contexts);
trace.setGlobalTracerProvider(provider);
const instrumentations = [new HttpInstrumentation(), new ExpressInstrumentation(), new PgInstrumentation()];
for (const instrumentation of instrumentations) instrumentation.setTracerProvider(provider);
const { createServer } = required('node:http') as typeof Http;
const makeApp = required('express') as typeof express;

const tracer = trace.getTracer('calends');
const secret = 'a secret of at least thirty-two bytes';
const authentication = {
  verify: () => Promise.resolve({ id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT' as const] }),
};
/** As the guide shows it. */
const onRoute = (route: string): void => {
  const request = getRPCMetadata(context.active());
  if (request !== undefined) request.route = route;
};
const booking = {
  applicationId: 'app-1',
  start: '2999-05-06T09:00:00Z',
  duration: 'PT30M',
  timezone: 'Europe/Athens',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
};

const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const expressDoor = (scheduling: Scheduling): RequestListener =>
  makeApp().use(schedulingRouter(scheduling, { authentication, onRoute })) as RequestListener;

const nodeDoor = (scheduling: Scheduling): RequestListener => {
  const handle = nodeHandler(schedulingHttp(scheduling, { authentication, onRoute }));
  return (request, response) => handle(request, response, () => response.writeHead(404).end());
};

const fetchDoor = (scheduling: Scheduling): RequestListener => {
  const handle = fetchHandler(schedulingHttp(scheduling, { authentication, onRoute }));
  const listener = getRequestListener(
    async (request) => (await handle(request)) ?? new Response(null, { status: 404 }),
    { overrideGlobalObjects: false },
  );
  return (request, response) => void listener(request, response);
};

const book = async (origin: string): Promise<number> => {
  const response = await fetch(`${origin}/api/v2/appointments/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify({ ...booking, duration: 'PT30M' }),
  });
  await response.text();
  return response.status;
};

const traceOf = (span: ReadableSpan): string => span.spanContext().traceId;
const linkedTo = ({ links }: ReadableSpan): readonly string[] => links.map(({ context: { spanId } }) => spanId);

afterEach(() => {
  spans.reset();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
afterAll(() => {
  for (const instrumentation of instrumentations) instrumentation.disable();
  trace.disable();
  context.disable();
});

describe('The span of a request', () => {
  it.each([
    ['Express', expressDoor],
    ['node:http', nodeDoor],
    ['fetch', fetchDoor],
  ])('the span of a request over %s is named after its route', async (_, door) => {
    const origin = await serve(door(createScheduling({ store: memoryStore(), secret })));
    const response = await fetch(`${origin}/api/v2/appointments/an-id`, { headers: { authorization: 'Bearer x' } });
    await response.text();
    await spans.answered(1);
    const [request] = spans.all.filter(({ kind }) => kind === SpanKind.SERVER);
    expect(request?.name).toBe('GET /api/v2/appointments/{id}');
    expect(request?.attributes['http.route']).toBe('/api/v2/appointments/{id}');
  });
});

const serverUrl = process.env['CALENDS_TEST_POSTGRES_URL'];

describe.skipIf(serverUrl === undefined)('Eight requests at once over PostgreSQL', () => {
  it('eight requests at once over PostgreSQL have each its own spans and no other’s, and joined statements link to all of theirs', async () => {
    const name = `calends_test_${randomUUID().replaceAll('-', '')}`;
    const url = new URL(serverUrl ?? '');
    url.pathname = `/${name}`;
    const server = openKnex(serverUrl ?? '');
    await server.raw(`create database ${name}`);
    const knex = openKnex(url.href, { statementTimeout: 60_000 });
    try {
      await migrate(knex);
      const store = knexStore({ knex, tracer, answerTimeout: 60_000 });
      const scheduling = createScheduling({ store, secret, tracer });
      const origin = await serve(expressDoor(scheduling));
      expect(await book(origin)).toBe(200);
      await spans.answered(1);
      spans.reset();

      const blocker = await knex.transaction();
      await blocker.raw('lock table calends_appointments in exclusive mode');
      const answers = Promise.all(Array.from({ length: 8 }, () => book(origin)));
      await spans.begun('calends.store.commit', 8);
      spans.reset();
      await blocker.rollback();
      expect(await answers).toEqual(Array.from({ length: 8 }, () => 200));
      await spans.answered(8);

      const requests = spans.named('POST /api/v2/appointments/');
      expect(new Set(requests.map(traceOf)).size).toBe(8);
      const joined = spans.named('calends.store.commit.joined');
      expect(joined.length).toBeGreaterThan(0);
      for (const request of requests) {
        const own = spans.all.filter((span) => traceOf(span) === traceOf(request));
        const [commit, ...moreCommits] = own.filter((span) => span.name === 'calends.store.commit');
        const [operation, ...moreOperations] = own.filter((span) => span.name === 'calends.appointments.schedule');
        expect([moreCommits, moreOperations]).toEqual([[], []]);
        expect(commit?.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId);
        const statements = own.filter((span) => span.name.startsWith('pg.query'));
        const joinedTo = joined.filter((each) => linkedTo(each).includes(commit?.spanContext().spanId ?? ''));
        expect(joinedTo).toHaveLength(statements.length === 0 ? 1 : 0);
        for (const each of joinedTo) {
          expect(each.parentSpanContext).toBeUndefined();
          expect(commit?.attributes['calends.joined_trace_id']).toBe(traceOf(each));
          const theirs = spans.all.filter((span) => traceOf(span) === traceOf(each) && span !== each);
          expect(theirs.filter((span) => span.name.startsWith('pg.query'))).not.toEqual([]);
        }
      }
      await scheduling.close();
    } finally {
      await knex.destroy();
      await server.raw(`drop database ${name}`);
      await server.destroy();
    }
  });
});

describe('What follows a request', () => {
  it('what follows a request is in traces of its own, with links to the operation, and holds what the host does in it', async () => {
    const scheduling = createScheduling({
      store: memoryStore(),
      secret,
      tracer,
      applications: {
        'app-1': { notifications: { active: true, reminders: [], email: { from: 'desk@example.org' } } },
      },
      notifiers: {
        email: {
          capability: 'none',
          timeout: 10_000,
          send: () =>
            tracer.startActiveSpan('smtp', (span) => {
              span.end();
              return Promise.resolve({ status: 'delivered' as const });
            }),
        },
      },
    });
    scheduling.events.subscribe(() => tracer.startActiveSpan('subscriber', (span) => span.end()));
    const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
    await tracer.startActiveSpan('request', async (span) => {
      await scheduling.appointments.schedule(agent, booking);
      await scheduling.workers.runOnce();
      span.end();
    });
    const [request] = spans.named('request');
    const [operation] = spans.named('calends.appointments.schedule');
    expect(operation?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(operation?.attributes).toEqual({ 'calends.organization_id': 'org-1' });
    for (const [name, inside] of [
      ['calends.deliver', 'smtp'],
      ['calends.publish', 'subscriber'],
    ] as const) {
      const [span] = spans.named(name);
      expect(span?.parentSpanContext).toBeUndefined();
      expect(span && linkedTo(span)).toEqual([operation?.spanContext().spanId]);
      expect(spans.named(inside)[0]?.parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
    }
    expect(spans.named('calends.deliver')[0]?.attributes).toMatchObject({
      'calends.channel': 'EMAIL',
      'calends.outcome': 'delivered',
    });
    await scheduling.close();
  });

  it('what follows a request has links where another process does it, which are told to no recipient', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'calends-traces-'));
    const url = `sqlite:${join(folder, 'calends.db')}`;
    const messages: unknown[] = [];
    const answer = (result: SendResult) => (message: unknown) => {
      messages.push(message);
      return Promise.resolve(result);
    };
    const given = {
      secret,
      tracer,
      clock: { now: () => time },
      applications: { 'app-1': { notifications: { ...everyChannel, sms: undefined, reminders: [], followUps: [] } } },
      notifiers: {
        email: {
          capability: 'none' as const,
          timeout: 10_000,
          send: answer({ status: 'submitted', messageId: 'mail-1' }),
          fetchStatus: () => Promise.resolve({ state: 'delivered' as const }),
        },
        webhooks: {
          capability: 'none' as const,
          timeout: 10_000,
          send: answer({ status: 'failed', permanent: false, error: 'HTTP 503' }),
        },
      },
    };
    let time = Date.parse('2999-05-06T06:00:00Z');
    const knexes = [openKnex(url), openKnex(url)] as const;
    try {
      await migrate(knexes[0]);
      const [booked, delivered] = [
        createScheduling({ ...given, store: knexStore({ knex: knexes[0] }) }),
        createScheduling({ ...given, store: knexStore({ knex: knexes[1] }) }),
      ];
      const published: DomainEvent[] = [];
      for (const scheduling of [booked, delivered]) scheduling.events.subscribe((event) => void published.push(event));
      const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
      await booked.appointments.schedule(agent, booking);
      for (let look = 0; look < 3; look += 1) {
        await delivered.workers.runOnce();
        time += 3_600_000;
      }

      const [operation] = spans.named('calends.appointments.schedule').map((span) => span.spanContext());
      const followUps = [...spans.named('calends.publish'), ...spans.named('calends.deliver')];
      const channels = followUps.map(({ attributes }) => attributes['calends.channel']);
      // Sent and asked after; sent, and twice more; and the event.
      expect(channels.sort()).toEqual(['EMAIL', 'EMAIL', 'WEBHOOKS', 'WEBHOOKS', 'WEBHOOKS', undefined]);
      const { traceId = 'none', spanId = 'none' } = operation ?? {};
      for (const { links } of followUps) {
        const linked = links.map((link) => link.context);
        expect(linked).toEqual([{ traceId, spanId, traceFlags: 1, isRemote: true }]);
      }
      const named = `00-${traceId}-${spanId}-01`;
      expect(published.map(({ data }) => data.traceParent)).toEqual([named]);
      const { items } = await delivered.notifications.listEvents(agent, { applicationId: 'app-1' });
      expect(items.length).toBeGreaterThan(0);
      expect(messages.length).toBeGreaterThan(0);
      expect(JSON.stringify([messages, items])).not.toContain(traceId);
    } finally {
      for (const knex of knexes) await knex.destroy();
      rmSync(folder, { recursive: true });
    }
  });

  it('what follows a request tells a refusal from a fault', async () => {
    const store = memoryStore();
    const broken = { ...store, commit: () => Promise.reject(new Error('broken')) };
    const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
    const scheduling = createScheduling({ store: broken, secret, tracer });
    await expect(scheduling.appointments.get(agent, 'none')).rejects.toThrow();
    await expect(scheduling.appointments.schedule(agent, booking)).rejects.toThrow('broken');
    const [refused] = spans.named('calends.appointments.get');
    expect([refused?.attributes['error.type'], refused?.status.code]).toEqual(['not_found', 0]);
    const [failed] = spans.named('calends.appointments.schedule');
    expect([failed?.attributes['error.type'], failed?.status.code]).toEqual(['Error', 2]);
  });
});
