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
  readonly #begins: Instant[] = [];
  /** For each span the latest end so far. */
  readonly #ends: Instant[] = [];
  #cursor = 0;

  constructor(spans: readonly Span[]) {
    this.spans = inOrder(spans);
    let end = -Infinity;
    for (const { from, to } of this.spans) {
      end = Math.max(end, to);
      this.#begins.push(from);
      this.#ends.push(end);
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
