import type { WindowCount } from '@calends/core';
import { formatInstant } from '@calends/core/operations';
import type { AppointmentCountResponse } from '@calends/http-contract';

/**
 * Counted windows (spec: Count item; D27).
 *
 * `timeFrame` was accepted by the core and is answered as given, without a plain-language part in parentheses.
 */
export function presentCounts(counts: readonly WindowCount[], timeFrame: string): AppointmentCountResponse[] {
  const plain = timeFrame.indexOf(' (');
  const duration = plain === -1 ? timeFrame : timeFrame.slice(0, plain);
  return counts.map(({ count, start, end }) => ({
    count,
    duration,
    end: formatInstant(end),
    start: formatInstant(start),
    timezone: 'UTC',
  }));
}
