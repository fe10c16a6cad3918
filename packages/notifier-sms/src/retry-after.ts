/**
 * Reads a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
 *
 * @param now - epoch milliseconds
 * @returns milliseconds, or `undefined` without a readable header
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Every form of an HTTP date begins with the name of a day.
  const instant = /^[A-Z][a-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now);
}
