import { AsyncLocalStorage } from 'node:async_hooks';
import { CalendsError } from '../errors.js';
import type { Change } from '../ports/commit.js';
import type { SchedulingStore } from '../ports/scheduling-store.js';
import type { SpanName, SpanSettings, TracedSpan, Tracer } from '../ports/tracer.js';

/** Events and messages whose cause is remembered, the latest. */
const mostRemembered = 10_000;
/** Of OpenTelemetry's `SpanStatusCode`. */
const fault = 2;

/** Spans of what the library does; does nothing at all without a tracer. */
export interface Tracing {
  /** Operations, each of which runs in a span named after the group and itself. */
  operations<Operations extends object>(group: string, operations: Operations): Operations;
  /** The store, which lets remember in which span an event or a message was written. */
  store(store: SchedulingStore): SchedulingStore;
  /** Work on an event or a message, in a trace of its own with a link to the span that it was written in. */
  followUp<Result>(
    name: string,
    written: { readonly id: string },
    attributes: NonNullable<SpanSettings['attributes']>,
    work: (note: (name: string, value: string | number) => void) => Promise<Result>,
  ): Promise<Result>;
}

/** Traces nothing. */
export const noTracing: Tracing = {
  operations: (_group, operations) => operations,
  store: (store) => store,
  followUp: (_name, _written, _attributes, work) => work(() => undefined),
};

/** What answers at once, or bit by bit, has no beginning and end that a span could show. */
const untraced: ReadonlySet<string> = new Set([
  'listEligible',
  'webhookTypes',
  'verifyCustomerToken',
  'refused',
  'noticed',
]);

type Operation = (...args: readonly unknown[]) => Promise<unknown>;

/** Makes spans with the tracer of the host. */
export function tracingWith(tracer: Tracer): Tracing {
  const current = new AsyncLocalStorage<TracedSpan>();
  const causes = new Map<string, SpanName>();

  const within = <Result>(name: string, settings: SpanSettings, work: (span: TracedSpan) => Promise<Result>) =>
    tracer.startActiveSpan(name, settings, (span) => current.run(span, () => ended(span, work)));

  const remember = (id: string, cause: SpanName): void => {
    causes.set(id, cause);
    const [oldest] = causes.keys();
    if (causes.size > mostRemembered && oldest !== undefined) causes.delete(oldest);
  };

  const rememberCause = ({ events, notifications }: Change): void => {
    const cause = current.getStore()?.spanContext();
    if (cause === undefined) return;
    for (const { id } of events) remember(id, cause);
    for (const { next } of notifications?.add ?? []) remember(next.id, cause);
  };

  return {
    operations: (group, operations) => {
      const traced = (name: string, operation: Operation): Operation =>
        untraced.has(name)
          ? operation
          : (...args) =>
              within(`calends.${group}.${name}`, { attributes: attributesOf(args) }, () => operation(...args));
      return Object.fromEntries(
        Object.entries(operations).map(([name, operation]) => [name, traced(name, operation as Operation)]),
      ) as typeof operations;
    },
    store: (store) =>
      new Proxy(store, {
        get(target, name) {
          const member: unknown = Reflect.get(target, name, target);
          if (name !== 'commit') return typeof member === 'function' ? (member.bind(target) as unknown) : member;
          return (...args: Parameters<SchedulingStore['commit']>) => {
            rememberCause(args[0]);
            return target.commit(...args);
          };
        },
      }),
    followUp: (name, { id }, attributes, work) => {
      const cause = causes.get(id);
      const links = cause === undefined ? [] : [{ context: cause }];
      return within(name, { root: true, links, attributes }, (span) =>
        work((attribute, value) => void span.setAttribute(attribute, value)),
      );
    },
  };
}

/** Callers come first, where there is one. */
function attributesOf([caller]: readonly unknown[]): NonNullable<SpanSettings['attributes']> {
  const { organizationId } = Object(caller) as { readonly organizationId?: unknown };
  return typeof organizationId === 'string' ? { 'calends.organization_id': organizationId } : {};
}

/** A refusal is an outcome like any other; what nobody asked for is a fault. */
async function ended<Result>(span: TracedSpan, work: (span: TracedSpan) => Promise<Result>): Promise<Result> {
  try {
    return await work(span);
  } catch (error) {
    const isRefusal = CalendsError.is(error) && error.code !== 'unavailable' && error.code !== 'internal';
    const type = CalendsError.is(error) ? error.code : error instanceof Error ? error.name : 'unknown';
    span.setAttribute('error.type', type);
    if (!isRefusal) span.setStatus({ code: fault });
    throw error;
  } finally {
    span.end();
  }
}
