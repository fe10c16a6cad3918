/** Names a span, also in another process: `SpanContext` of OpenTelemetry. */
export interface SpanName {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
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
  /** Runs work with a new span, in which spans of the work become children of it; whoever begins it ends it. */
  startActiveSpan<Result>(name: string, settings: SpanSettings, work: (span: TracedSpan) => Result): Result;
}
