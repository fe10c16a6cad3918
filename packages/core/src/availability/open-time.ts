import type { Instant, TimeWindow } from '@calends/model';

/** Time in spans of which none touches another; questions that walk forward in time cost the least. */
export class OpenTime {
  /** Begins and ends in turn, each later than the one before: an object for each span costs more than all else. */
  readonly instants: readonly Instant[];
  #cursor = 0;

  constructor(instants: readonly Instant[]) {
    this.instants = instants;
  }

  /** Whether all of a window is open. */
  covers(from: Instant, to: Instant): boolean {
    const { instants } = this;
    let at = this.#cursor;
    while (at < instants.length && (instants[at] ?? 0) <= from) at += 1;
    while (at > 0 && (instants[at - 1] ?? 0) > from) at -= 1;
    this.#cursor = at;
    return at % 2 === 1 && (instants[at] ?? 0) >= to;
  }

  /** Spans that have a time in common with the window. */
  meeting(from: Instant, to: Instant): readonly TimeWindow[] {
    const { instants } = this;
    const found: TimeWindow[] = [];
    for (let at = 0; at < instants.length && (instants[at] ?? 0) < to; at += 2) {
      const span = { from: instants[at] ?? 0, to: instants[at + 1] ?? 0 };
      if (span.to > from) found.push(span);
    }
    return found;
  }
}

/** The same time in as few spans as possible: what meets or touches is joined. */
export function joined(spans: readonly TimeWindow[]): OpenTime {
  const instants: Instant[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const end = instants.at(-1) ?? -Infinity;
    if (end < from) instants.push(from, to);
    else instants[instants.length - 1] = Math.max(end, to);
  }
  return new OpenTime(instants);
}

/** What is left of open time without what is taken: begins and ends in turn, in any order, where each may meet another. */
export function without(open: OpenTime, taken: readonly Instant[]): OpenTime {
  const gone = inOrder(taken);
  const left: Instant[] = [];
  let next = 0;
  for (let place = 0; place < open.instants.length; place += 2) {
    let from = open.instants[place] ?? 0;
    const to = open.instants[place + 1] ?? 0;
    // One that goes on may reach into the next span too.
    while (next < gone.length && (gone[next + 1] ?? 0) <= from) next += 2;
    for (let at = next; at < gone.length && (gone[at] ?? 0) < to; at += 2) {
      const begin = gone[at] ?? 0;
      if (from < begin) left.push(from, begin);
      from = Math.max(from, gone[at + 1] ?? 0);
    }
    if (from < to) left.push(from, to);
  }
  return new OpenTime(left);
}

/** By begin; what stores answer is in order already, more often than not. */
function inOrder(instants: readonly Instant[]): readonly Instant[] {
  let last = -Infinity;
  for (let at = 0; at < instants.length; at += 2) {
    const begin = instants[at] ?? 0;
    if (begin < last) return sorted(instants);
    last = begin;
  }
  return instants;
}

function sorted(instants: readonly Instant[]): readonly Instant[] {
  const pairs: (readonly [begin: Instant, end: Instant])[] = [];
  for (let at = 0; at < instants.length; at += 2) pairs.push([instants[at] ?? 0, instants[at + 1] ?? 0]);
  return pairs.sort(([one], [other]) => one - other).flat();
}
