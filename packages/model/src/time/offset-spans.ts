import { remembered } from '../remembered.js';
import type { Instant } from './instant.js';
import { days, seconds } from './time-units.js';

/** A time, half-open, in which the offset of a zone stays the same; before and after it, it may be the same. */
export interface OffsetSpan {
  /** Milliseconds, east positive. */
  readonly offset: number;
  readonly from: Instant;
  readonly to: Instant;
}

/** Shorter than the time between any two changes of one zone since 1970, which is 7 days: none has two changes. */
const stretch = days(5);
/** Four years of one zone. */
const maxStretches = 300;

/**
 * Remembers where the offset of a zone stays the same, so that the slow `read` is asked for each stretch of days once, and
 * for each change some 20 times.
 */
export function offsetSpans(read: (instant: Instant) => number): (instant: Instant) => OffsetSpan {
  const edgeOf = remembered(maxStretches, (number: number) => read(number * stretch));
  const spansOf = remembered(maxStretches, (number: number): readonly [OffsetSpan, OffsetSpan?] => {
    const [from, to] = [number * stretch, (number + 1) * stretch];
    const [first, last] = [edgeOf(number), edgeOf(number + 1)];
    if (first === last) return [{ offset: first, from, to }];
    const change = changeAfter(from, to);
    return [
      { offset: first, from, to: change },
      { offset: last, from: change, to },
    ];
  });

  /** The second from which on the offset is another than at `from`; changes happen on whole seconds. */
  function changeAfter(from: Instant, to: Instant): Instant {
    const before = read(from);
    let [left, right] = [from, to];
    while (right - left > seconds(1)) {
      const middle = left + Math.floor((right - left) / seconds(2)) * seconds(1);
      if (read(middle) === before) left = middle;
      else right = middle;
    }
    return right;
  }

  return (instant) => {
    const [first, second] = spansOf(Math.floor(instant / stretch));
    return second === undefined || instant < first.to ? first : second;
  };
}
