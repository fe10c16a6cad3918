import { formatInstant, offsetAt } from '@calends/core/operations';

const minute = 60_000;
const day = 1440 * minute;

/**
 * Writes instants with the offset that a zone has then: `2035-03-02T10:00:00+01:00`; those of `UTC` with `Z`.
 *
 * A zone is asked at both ends of a day of UTC, and for each instant only on the days on which its clocks change: an answer
 * has thousands of times of a few days.
 */
export function zonedInstants(timezone: string): (instant: number) => string {
  if (timezone === 'UTC') return formatInstant;
  const offsets = new Map<number, number | undefined>();
  const offsetOf = (instant: number): number => {
    const first = Math.floor(instant / day) * day;
    if (!offsets.has(first)) {
      const offset = offsetAt(first, timezone);
      offsets.set(first, offset === offsetAt(first + day, timezone) ? offset : undefined);
    }
    return offsets.get(first) ?? offsetAt(instant, timezone);
  };
  return (instant) => {
    const offset = offsetOf(instant);
    return formatInstant(instant + offset).replace('Z', offsetText(offset / minute));
  };
}

function offsetText(minutes: number): string {
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
