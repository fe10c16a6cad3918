import { instantOfWallClock } from '@calends/core';
import { formatInstant } from '@calends/core/operations';
import type { Request } from 'express';

/** A text field of a form; empty when it is missing or came several times. */
export function field(request: Request, name: string): string {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return '';
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

/** A parameter of the address; empty when it is missing. */
export function parameter(request: Request, name: string): string {
  // Not `request.query`, which a host may have turned off or made richer.
  return new URLSearchParams(request.originalUrl.split('?')[1]).get(name) ?? '';
}

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeForm = /^(\d{2}):(\d{2})(?::\d{2})?$/;

/**
 * The start that date and time fields name on the clocks of a zone, ISO 8601; `undefined` when they name none.
 *
 * An hour that the zone repeats is the first one, one that it skips moves forward (RFC 5545).
 */
export function startOf(date: string, time: string, timezone: string): string | undefined {
  const [year, month, day] = numbers(dateForm.exec(date));
  const [hour, minute] = numbers(timeForm.exec(time));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59 || year < 1970) return undefined;
  const named = new Date(Date.UTC(year, month - 1, day));
  if (named.getUTCMonth() !== month - 1 || named.getUTCDate() !== day) return undefined;
  return formatInstant(instantOfWallClock({ year, month, day, hour, minute }, timezone));
}

function numbers(match: RegExpExecArray | null): readonly (number | undefined)[] {
  return match === null ? [] : match.slice(1).map(Number);
}
