import { dropRejection, dropRejectionsIn, isPromise } from '../support/host-answers.js';
import type { SpanName, SpanSettings, TracedSpan, Tracer } from './tracer.js';

/** As tracers name a span that they do not record: it is part of no trace. */
const unnamed: SpanName = { traceId: '', spanId: '', traceFlags: 0 };

/** The span of work that the tracer did not begin. */
const unseen: TracedSpan = {
  spanContext: () => unnamed,
  setAttribute: () => undefined,
  setStatus: () => undefined,
  end: () => undefined,
};

/** What work has come to. */
type Outcome<Result> = { readonly result: Result } | { readonly thrown: unknown };

function ignored(): void {
  // Nobody is told, or was told before.
}

/**
 * A tracer of the host that changes nothing of what it traces: work is done once, and what it comes to is the answer, whatever
 * the tracer throws, calls or leaves out.
 *
 * @param onFault told of the first fault; the next ones would be the same with every call
 */
export function guardedTracer(tracer: Tracer, onFault: (error: unknown) => void = ignored): Tracer {
  let isNoted = false;
  const note = (error: unknown): void => {
    if (isNoted) return;
    isNoted = true;
    onFault(error);
  };
  const attempt = <Answer>(ask: () => Answer, otherwise: Answer): Answer => {
    try {
      return ask();
    } catch (error) {
      note(error);
      return otherwise;
    }
  };
  /** Tells a span something; where it answers a promise, nobody waits for it. */
  const tell = (say: () => unknown): void => {
    attempt(() => {
      const answer = say();
      if (isPromise(answer)) answer.then(ignored, note);
    }, undefined);
  };
  const guarded = (span: TracedSpan): TracedSpan => ({
    spanContext: () => attempt(() => checkedName(span.spanContext()), unnamed),
    setAttribute: (name, value) => {
      tell(() => span.setAttribute(name, value));
    },
    setStatus: (status) => {
      tell(() => span.setStatus(status));
    },
    end: () => {
      tell(() => span.end());
    },
  });
  return {
    startActiveSpan: <Result>(name: string, settings: SpanSettings, work: (span: TracedSpan) => Result): Result => {
      const done: { outcome?: Outcome<Result> } = {};
      const perform = (span: TracedSpan): Result => resultOf((done.outcome ??= outcomeOf(() => work(span))));
      try {
        const answer: unknown = tracer.startActiveSpan(name, settings, (span) => {
          if (done.outcome !== undefined) note(new TypeError('tracer: startActiveSpan must call its work once'));
          return perform(guarded(span));
        });
        // A promise that follows from the work's is refused as that is.
        dropRejection(answer);
      } catch (error) {
        const isOfTheWork = done.outcome !== undefined && 'thrown' in done.outcome && done.outcome.thrown === error;
        if (!isOfTheWork) note(error);
      }
      if (done.outcome === undefined) note(new TypeError('tracer: startActiveSpan must call its work at once'));
      return perform(unseen);
    },
  };
}

function outcomeOf<Result>(work: () => Result): Outcome<Result> {
  try {
    return { result: work() };
  } catch (error) {
    return { thrown: error };
  }
}

function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('thrown' in outcome) throw outcome.thrown;
  return outcome.result;
}

/**
 * The name as it was read: what the host has made may say something else, or throw, when it is asked again.
 *
 * @throws TypeError for what names no span
 */
function checkedName(name: SpanName): SpanName {
  const { traceId, spanId, traceFlags, ...others } = name;
  if (typeof traceId === 'string' && typeof spanId === 'string' && Number.isInteger(traceFlags)) {
    return { ...others, traceId, spanId, traceFlags };
  }
  dropRejectionsIn(name);
  throw new TypeError('tracer: spanContext must answer traceId, spanId and traceFlags');
}
