import { limits } from '../limits.js';
import { days, hours, minutes, seconds } from './instant.js';

/** Duration designators that a string may use: days to seconds (D4), or weeks too (v1 list filter, `timeFrame`). */
export type DurationForms = 'dayTime' | 'iso8601';

const maxTextLength = 32;
const number = String.raw`(\d+(?:[.,]\d+)?)`;
const dayTime = new RegExp(`^P(?:${number}D)?(T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`);
const weeks = new RegExp(`^P${number}W$`);
const calendar = new RegExp(`^P(?:${number}Y)?(?:${number}M)?(|[\\dT].*)$`);
const fraction = /[.,]/;

/**
 * Reads an ISO 8601 duration as milliseconds (D4): PnD, PTnH, PTnM, PTnS and their sums, a fraction in the
 * smallest part; `iso8601` also takes PnW.
 *
 * The answered form, with plain language in parentheses, is accepted too. Fractions of a millisecond are
 * rounded. Returns `undefined` for every other text: years and months, signs, exponents, more than 32 characters.
 */
export function parseDuration(text: string, forms: DurationForms = 'dayTime'): number | undefined {
  const iso = withoutPlainForm(text);
  if (iso === undefined || iso.length > maxTextLength) return undefined;
  if (forms === 'iso8601') {
    const week = weeks.exec(iso)?.[1];
    if (week !== undefined) return whole(amount(week) * days(7));
  }
  const match = dayTime.exec(iso);
  if (match === null || match[2] === 'T') return undefined;
  const parts = [match[1], match[3], match[4], match[5]];
  const present = parts.filter((part) => part !== undefined);
  if (present.length === 0 || present.slice(0, -1).some((part) => fraction.test(part))) {
    return undefined;
  }
  const units = [days(1), hours(1), minutes(1), seconds(1)];
  const total = parts.reduce(
    (sum, part, index) => sum + (part === undefined ? 0 : amount(part) * (units[index] ?? 0)),
    0,
  );
  return whole(total);
}

/** Tells whether a string is an ISO 8601 duration with years or months, which have no fixed length (D4). */
export function isCalendarDuration(text: string): boolean {
  const match = text.length > maxTextLength ? null : calendar.exec(text);
  if (match === null) return false;
  const [, years, months, rest = ''] = match;
  const parts = [years, months, rest || undefined].filter((part) => part !== undefined);
  return (
    (years ?? months) !== undefined &&
    (rest === '' || parseDuration(`P${rest}`) !== undefined) &&
    !parts.slice(0, -1).some((part) => fraction.test(part))
  );
}

/** Writes a duration in canonical ISO form, largest unit first, zero units left out: `PT1H30M`. */
export function formatDuration(milliseconds: number): string {
  const { d, h, m, s } = split(milliseconds);
  const time = `${unit(h, 'H')}${unit(m, 'M')}${unit(s, 'S')}`;
  const text = `P${unit(d, 'D')}${time === '' ? '' : `T${time}`}`;
  return text === 'P' ? 'PT0S' : text;
}

/** Writes a duration as answers show it: `PT1H30M (1 hour 30 minutes)` (D4). */
export function describeDuration(milliseconds: number): string {
  const { d, h, m, s } = split(milliseconds);
  const words = [plain(d, 'day'), plain(h, 'hour'), plain(m, 'minute'), plain(s, 'second')]
    .filter((word) => word !== '')
    .join(' ');
  return `${formatDuration(milliseconds)} (${words === '' ? '0 seconds' : words})`;
}

function withoutPlainForm(text: string): string | undefined {
  const open = text.indexOf(' (');
  if (open === -1) return text;
  return text.endsWith(')') && text.length <= limits.duration ? text.slice(0, open) : undefined;
}

function amount(text: string): number {
  return Number(text.replace(',', '.'));
}

function whole(milliseconds: number): number | undefined {
  const rounded = Math.round(milliseconds);
  return Number.isSafeInteger(rounded) ? rounded : undefined;
}

function split(milliseconds: number): { d: number; h: number; m: number; s: number } {
  const d = Math.floor(milliseconds / days(1));
  const h = Math.floor((milliseconds % days(1)) / hours(1));
  const m = Math.floor((milliseconds % hours(1)) / minutes(1));
  return { d, h, m, s: (milliseconds % minutes(1)) / 1000 };
}

function unit(count: number, designator: string): string {
  return count === 0 ? '' : `${String(count)}${designator}`;
}

function plain(count: number, name: string): string {
  if (count === 0) return '';
  return `${String(count)} ${name}${count === 1 ? '' : 's'}`;
}
