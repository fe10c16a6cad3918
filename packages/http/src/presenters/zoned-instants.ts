import { formatInstant, offsetAt } from '@calends/core/operations';
import { lastInstant } from '@calends/model';

const minute = 60_000;

/**
 * Writes instants with the offset that a zone has then: `2035-03-02T10:00:00+01:00`; those of `UTC` with `Z`, and so
 * are those that a zone has in the year 10000 already, which RFC 3339 cannot write.
 */
export function zonedInstants(timezone: string): (instant: number) => string {
  if (timezone === 'UTC') return formatInstant;
  return (instant) => {
    const offset = offsetAt(instant, timezone);
    if (instant + offset > lastInstant) return formatInstant(instant);
    return formatInstant(instant + offset).replace('Z', offsetText(offset / minute));
  };
}

function offsetText(minutes: number): string {
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
