import { AsyncLocalStorage } from 'node:async_hooks';
import { CalendsError } from '../domain/calls/errors.js';
import { fieldsOf } from '../support/host-answers.js';

/** Names a span, also in another process: `SpanContext` of OpenTelemetry. */
export interface SpanName {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  /** True = it may be of another process. */
  readonly isRemote?: boolean;
}

/** What a span is begun with: `SpanOptions` of OpenTelemetry. */
export interface SpanSettings {
  readonly attributes?: Record<string, string | number | boolean>;
  readonly links?: { context: SpanName }[];
  /** True = part of no trace that is under way. */
  readonly root?: boolean;
}

/** A piece of work in a trace: `Span` of OpenTelemetry. */
export interface TracedSpan {
  spanContext(): SpanName;
  setAttribute(name: string, value: string | number | boolean): unknown;
  /** Code 2 is a fault. */
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/**
 * Makes spans: what the library uses of a tracer of OpenTelemetry, so that `trace.getTracer('calends')` is one.
 *
 * Spans hold ids, states and codes, and no personal data.
 */
export interface Tracer {
  /** Runs work with a new span, in which spans of the work become children of it; anyone who begins it ends it. */
  startActiveSpan<Result>(name: string, settings: SpanSettings, work: (span: TracedSpan) => Result): Result;
}

/** Of OpenTelemetry's `SpanStatusCode`. */
const fault = 2;

/** Spans of what the library does; does nothing at all without a tracer. */
export interface Tracing {
  /** Operations, each of which runs in a span named after the group and itself. */
  operations<Operations extends object>(group: string, operations: Operations): Operations;
  /** Absent without a tracer. */
  readonly spans?: Spans;
}

/** The spans that are under way, and those of what was written. */
export interface Spans {
  /** Names the operation's span for what it writes (`traceparent` of W3C Trace Context). */
  traceParent(): string | undefined;
  /** Work on what was written, in a trace of its own with a link to the span whose name stands there. */
  followUp<Result>(
    name: string,
    traceParent: string | undefined,
    attributes: NonNullable<SpanSettings['attributes']>,
    work: (note: (name: string, value: string | number) => void) => Promise<Result>,
  ): Promise<Result>;
}

/** Traces nothing. */
export const noTracing: Tracing = {
  operations: (_group, operations) => operations,
};

/** What answers at once, or bit by bit, has no beginning and end that a span could show. */
const untraced: ReadonlySet<string> = new Set([
  'listEligible',
  'exportText',
  'webhookTypes',
  'verifyCustomerToken',
  'refused',
  'noticed',
]);

type Operation = (...args: readonly unknown[]) => Promise<unknown>;

/** Makes spans with the tracer of the host. */
export function tracingWith(tracer: Tracer): Tracing {
  const current = new AsyncLocalStorage<TracedSpan>();

  const within = <Result>(name: string, settings: SpanSettings, work: (span: TracedSpan) => Promise<Result>) =>
    tracer.startActiveSpan(name, settings, (span) => current.run(span, () => ended(span, work)));

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
    spans: {
      traceParent: () => {
        const span = current.getStore()?.spanContext();
        return span && traceParentOf(span);
      },
      followUp: (name, traceParent, attributes, work) => {
        const context = spanNamed(traceParent);
        const links = context === undefined ? [] : [{ context }];
        return within(name, { root: true, links, attributes }, (span) =>
          work((attribute, value) => void span.setAttribute(attribute, value)),
        );
      },
    },
  };
}

/** Version 00, the only one there is; no id of it is all zeros, as those of a tracer are that records nothing. */
const traceParents = /^00-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})$/;

function traceParentOf({ traceId, spanId, traceFlags }: SpanName): string | undefined {
  const named = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  return traceParents.test(named) ? named : undefined;
}

function spanNamed(traceParent: string | undefined): SpanName | undefined {
  const [, traceId, spanId, flags] = traceParents.exec(traceParent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** Callers come first, where there is one. */
function attributesOf([caller]: readonly unknown[]): NonNullable<SpanSettings['attributes']> {
  const { organizationId } = fieldsOf(caller);
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
