import { instantOfWallClock, type Schedule } from '@calends/core';
import { formatInstant, wallClockAt } from '@calends/core/operations';
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

/** What date and time fields hold. */
export interface TimeFields {
  readonly date: string;
  readonly time: string;
}

/** The fields that show the start of a schedule on the clocks of its zone. */
export function timeFieldsOf({ start, timezone }: Pick<Schedule, 'start' | 'timezone'>): TimeFields {
  const { year, month, day, hour, minute } = wallClockAt(start, timezone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return { date: `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` };
}

/**
 * The start that date and time fields name on the clocks of the zone of a schedule, ISO 8601; `undefined` when they name none.
 *
 * Fields that are as the schedule fills them name its start, whose seconds they do not show. Else an hour that the zone repeats is
 * the first one, one that it skips moves forward (RFC 5545).
 */
export function startOf({ date, time }: TimeFields, present: Pick<Schedule, 'start' | 'timezone'>): string | undefined {
  const shown = timeFieldsOf(present);
  if (date === shown.date && time === shown.time) return formatInstant(present.start);
  const [year, month, day] = numbers(dateForm.exec(date));
  const [hour, minute] = numbers(timeForm.exec(time));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59 || year < 1970) return undefined;
  const named = new Date(Date.UTC(year, month - 1, day));
  if (named.getUTCMonth() !== month - 1 || named.getUTCDate() !== day) return undefined;
  return formatInstant(instantOfWallClock({ year, month, day, hour, minute }, present.timezone));
}

function numbers(match: RegExpExecArray | null): readonly (number | undefined)[] {
  return match === null ? [] : match.slice(1).map(Number);
}
