import type { Instant, TimeWindow } from '@calends/model';

const none: readonly never[] = [];

/** By `from`; what stores answer is in order already, more often than not. */
function inOrder<Span extends TimeWindow>(spans: readonly Span[]): readonly Span[] {
  let last = -Infinity;
  for (const { from } of spans) {
    if (from < last) return spans.toSorted((one, other) => one.from - other.from);
    last = from;
  }
  return spans;
}

/** Spans of time, to be asked which of them meet a time; questions that walk forward in time cost the least. */
export class SpanIndex<Span extends TimeWindow> {
  /** By `from`. */
  readonly spans: readonly Span[];
  readonly #begins: Float64Array;
  /** For each span the latest end so far. */
  readonly #ends: Float64Array;
  #cursor = 0;

  constructor(spans: readonly Span[]) {
    this.spans = inOrder(spans);
    this.#begins = new Float64Array(spans.length);
    this.#ends = new Float64Array(spans.length);
    let end = -Infinity;
    let place = 0;
    for (const { from, to } of this.spans) {
      this.#begins[place] = from;
      this.#ends[place] = end = Math.max(end, to);
      place += 1;
    }
  }

  /** Those that have a time in common with the window, the latest first. */
  meeting(from: Instant, to: Instant): readonly Span[] {
    let found: Span[] | undefined;
    for (let at = this.#before(to) - 1; at >= 0 && (this.#ends[at] ?? 0) > from; at -= 1) {
      const span = this.spans[at];
      if (span !== undefined && span.to > from) (found ??= []).push(span);
    }
    return found ?? none;
  }

  /** Whether one span has the whole window in it, where none touches another: see `joined`. */
  covers(from: Instant, to: Instant): boolean {
    const place = this.#before(from + 1) - 1;
    return place >= 0 && (this.#ends[place] ?? 0) >= to;
  }

  /** How many begin before: walks from where the last answer was, which in a search is near. */
  #before(instant: Instant): number {
    const begins = this.#begins;
    let at = this.#cursor;
    while (at < begins.length && (begins[at] ?? 0) < instant) at += 1;
    while (at > 0 && (begins[at - 1] ?? 0) >= instant) at -= 1;
    this.#cursor = at;
    return at;
  }
}

/** What is left of the first without the others: whatever lies in one of its spans meets none of them. */
export function without(open: SpanIndex<TimeWindow>, taken: readonly TimeWindow[]): SpanIndex<TimeWindow> {
  const left: TimeWindow[] = [];
  const gone = merged(taken);
  let next = 0;
  for (const span of open.spans) {
    let from = span.from;
    // One that goes on may reach into the next span too.
    while ((gone[next]?.to ?? Infinity) <= from) next += 1;
    for (let at = next; from < span.to; at += 1) {
      const to = Math.min(gone[at]?.from ?? Infinity, span.to);
      if (from < to) left.push({ from, to });
      from = gone[at]?.to ?? Infinity;
    }
  }
  return new SpanIndex(left);
}

/** The same time in as few spans as possible: what meets or touches is joined. */
export const joined = (spans: readonly TimeWindow[]): SpanIndex<TimeWindow> => new SpanIndex(merged(spans));

function merged(spans: readonly TimeWindow[]): readonly TimeWindow[] {
  const result: { from: Instant; to: Instant }[] = [];
  for (const { from, to } of inOrder(spans)) {
    const last = result.at(-1);
    if (last === undefined || last.to < from) result.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return result;
}
