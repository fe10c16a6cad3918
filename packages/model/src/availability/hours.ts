import * as z from 'zod';
import { weekdays } from '../sets.js';
import { days } from '../time/instant.js';
import { zoneSchema } from './service.js';

const clock = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

// `abort`: what is no time or date is told by itself; rules about the shift would say of it what is not true.

/** A time on the wall, `HH:MM`. */
const wallTime = z.string().regex(clock, { error: 'Must be a time of day, HH:MM.', abort: true });

/** The end of a shift: `24:00` is midnight at the end of the day. */
const endOfShift = z.string().refine((text) => text === '24:00' || clock.test(text), {
  error: 'Must be a time of day, HH:MM, or 24:00.',
  abort: true,
});

/** Whether a string is a day of the calendar, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const midnight = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text);
}

/** A day of the calendar, `YYYY-MM-DD`. */
export const dateSchema = z.string().refine(isCalendarDate, { error: 'Must be a date, YYYY-MM-DD.', abort: true });

const shift = { from: wallTime, until: endOfShift };
const notEmpty = ({ from, until }: { readonly from: string; readonly until: string }): boolean => from !== until;
const neverOpens = { error: 'Never opens: from and until are the same.', path: ['until'] };

const dayLength = days(1);

const weeklyShape = z.strictObject({
  days: z.array(z.enum(weekdays)).min(1).max(7),
  ...shift,
  /** Every so many weeks, counted from the week of `validFrom`. Default 1. */
  everyWeeks: z.int().min(1).max(52).optional(),
  /** The first day on which a shift may begin. */
  validFrom: dateSchema.optional(),
  /** The last one. */
  validUntil: dateSchema.optional(),
});

const weeklyRule = weeklyShape
  .refine(notEmpty, neverOpens)
  .refine(({ everyWeeks = 1, validFrom }) => everyWeeks === 1 || validFrom !== undefined, {
    error: 'Must be there where everyWeeks is.',
    path: ['validFrom'],
  })
  .refine(
    ({ validFrom, validUntil }) => validFrom === undefined || validUntil === undefined || validFrom <= validUntil,
    {
      error: 'Never opens: validUntil is before validFrom.',
      path: ['validUntil'],
    },
  )
  .refine((rule) => rule.validUntil === undefined || (rule.validFrom ?? '') > rule.validUntil || hasDay(rule), {
    error: 'Never opens: none of its days lies from validFrom to validUntil.',
    path: ['days'],
  });

/** Whether there is a day on which a shift of the rule begins. */
function hasDay({ days: names, everyWeeks = 1, validFrom, validUntil }: z.output<typeof weeklyShape>): boolean {
  if (validFrom === undefined || validUntil === undefined) return true;
  const first = Date.parse(validFrom);
  const weekdayOf = (day: number): number => (new Date(day).getUTCDay() + 6) % 7;
  const monday = first - weekdayOf(first) * dayLength;
  const last = Math.min(Date.parse(validUntil), first + (everyWeeks + 1) * 7 * dayLength);
  for (let day = first; day <= last; day += dayLength) {
    const weeks = Math.floor((day - monday) / (7 * dayLength));
    if (weeks % everyWeeks === 0 && names.some((name) => weekdays.indexOf(name) === weekdayOf(day))) return true;
  }
  return false;
}

/**
 * When an agent or a resource works in a usual week. A shift whose end is before its begin ends on the next day; one from and until the same time is refused.
 *
 * The same form in settings, in stores and over HTTP.
 */
export const hoursSchema = z.strictObject({
  timezone: zoneSchema,
  weekly: z.array(weeklyRule).max(100),
});

/** Hours of an actor as they are written. */
export type HoursRules = Readonly<z.output<typeof hoursSchema>>;

/** What takes the place of the weekly rules for shifts that begin on one day: none = closed. */
export const exceptionSchema = z.strictObject({
  open: z.array(z.strictObject(shift).refine(notEmpty, neverOpens)).max(20),
});

/** An exception as it is written. */
export type HoursException = Readonly<z.output<typeof exceptionSchema>>;
