import type { HeldTime } from '@calends/core/operations';
import { formatDuration, parseDuration, parseTimeZone } from '@calends/core/operations';

/** A time that is held, as the pages carry it from form to form. */
export interface Held {
  readonly token: string;
  readonly serviceId: string;
  readonly start: number;
  readonly end: number;
  readonly until: number;
  /** Zone of the customer; absent where they have named none. */
  readonly zone: string | undefined;
}

/** What a form or a cookie carries; changed by its visitor it is at most another time, which nobody holds. */
export function writeHeld({ token, serviceId, start, end, until }: HeldTime, zone: string | undefined): string {
  return Buffer.from(
    JSON.stringify([token, serviceId, start, formatDuration(end - start), until, zone ?? '']),
  ).toString('base64url');
}

/** The id of a hold, which names an address and a path of cookies, and its signature. */
const tokenForm = /^[\w-]+\.[\w-]+$/;

/** What {@link writeHeld} wrote, or `undefined`. */
export function readHeld(text: string): Held | undefined {
  const parts: unknown = parsed(Buffer.from(text, 'base64url').toString());
  if (!Array.isArray(parts)) return undefined;
  const [token, serviceId, start, duration, until, zone] = parts as readonly unknown[];
  if (typeof token !== 'string' || !tokenForm.test(token) || typeof serviceId !== 'string' || typeof zone !== 'string')
    return undefined;
  const length = typeof duration === 'string' ? parseDuration(duration) : undefined;
  if (!isInstant(start) || !isInstant(until) || length === undefined || !isInstant(start + length)) return undefined;
  return { token, serviceId, start, end: start + length, until, zone: parseTimeZone(zone) };
}

/** What `Intl` and ISO 8601 can show: up to the year 9999. */
function isInstant(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < Date.UTC(9999, 11, 31);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
