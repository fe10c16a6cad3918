import { remembered } from '../remembered.js';

/** Milliseconds of so many seconds. */
export const seconds = (count: number): number => count * 1000;
/** Milliseconds of so many minutes. */
export const minutes = (count: number): number => count * 60_000;
/** Milliseconds of so many hours. */
export const hours = (count: number): number => count * 3_600_000;
/** Milliseconds of so many days of exactly 24 hours (D4). */
export const days = (count: number): number => count * 86_400_000;

/** A point in time: epoch milliseconds, UTC. */
export type Instant = number;

/** The years that the service accepts and answers (D3). */
export const firstInstant: Instant = 0;
/** Last millisecond of the year 9999 (D3). */
export const lastInstant: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const form = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):?(\d{2}))$/;
const maxForm = 40;

/**
 * Reads an ISO 8601 timestamp with `Z` or a numeric offset (D3).
 *
 * Digits beyond milliseconds are cut. Returns `undefined` for every other text: no zone, a day that the
 * month does not have, a leap second, a year outside 1970 to 9999.
 */
export function parseInstant(text: string): Instant | undefined {
  if (text.length > maxForm) return undefined;
  const match = form.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(part) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [offsetHours, offsetMinutes] = [part(9), part(10)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) {
    return undefined;
  }
  const milliseconds = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  const read = new Date(local);
  // Date.UTC rolls 30 February over into March and reads years below 100 as 19xx.
  if (read.getUTCFullYear() !== year || read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) {
    return undefined;
  }
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === '-' ? -1 : 1);
  const instant = local - offset;
  return instant < firstInstant || instant > lastInstant ? undefined : instant;
}

const day = days(1);
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
/** Each minute of a day, as most instants are written. */
const minuteTexts = twoDigits.slice(0, 24).flatMap((hour) => twoDigits.map((minute) => `${hour}:${minute}:00Z`));
/** The date of a day since 1970, with `T`: asking the calendar takes ten times as long as the rest of an instant. */
const dateText = remembered(1000, (number: number) => new Date(number * day).toISOString().slice(0, -midnight.length));
const midnight = '00:00:00.000Z';

/** Writes an instant in ISO 8601 with `Z`, milliseconds only when they are not zero (D3). */
export function formatInstant(instant: Instant): string {
  const number = Math.floor(instant / day);
  const time = Math.trunc(instant - number * day);
  const minute = Math.floor(time / minutes(1));
  const inMinute = time - minute * minutes(1);
  const text = minuteTexts[minute] ?? '';
  // Put together from its end: two strings make one that is read at once.
  return dateText(number) + (inMinute === 0 ? text : text.slice(0, -'00Z'.length) + secondsText(inMinute));
}

function secondsText(time: number): string {
  const fraction = time % seconds(1);
  const second = twoDigits[Math.floor(time / seconds(1))];
  return `${second}${fraction === 0 ? '' : `.${String(fraction).padStart(3, '0')}`}Z`;
}

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
