/** The form of HTTP dates that names no zone, and is in GMT as the others are. */
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110, sections 10.2.3 and 5.6.7).
 *
 * @param now - epoch milliseconds
 * @returns milliseconds, or `undefined` without a readable header
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = asctime.test(value) ? `${value} GMT` : value;
  // Every form of an HTTP date begins with the name of a day.
  const instant = /^[A-Z][a-z].* GMT$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
