import { type Instant } from '@calends/core';

const imfOrRfc850 = /^[A-Z][a-z]+, [\w -]+ \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Reads `Retry-After`: seconds, or a date in one of the three forms (RFC 9110, sections 10.2.3 and 5.6.7).
 *
 * Answers milliseconds from now, 0 for a date that has passed, `undefined` for anything else.
 */
export function readRetryAfter(text: string | undefined, now: Instant): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = imfOrRfc850.test(text) ? Date.parse(text) : asctime.test(text) ? Date.parse(`${text} GMT`) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
