import type { Instant } from './instant.js';

/** A half-open span of time, `from ≤ t < to`; an absent side is open. */
export interface TimeRange {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** A half-open span of time with both ends. */
export interface TimeWindow {
  readonly from: Instant;
  readonly to: Instant;
}
