import { days, type Instant, instantOfWallClock, offsetAt, remembered } from '@calends/model';

const day = days(1);
const minutesOfDay = 1440;

/** The clocks and the calendar of one zone. Days are numbers: 0 is 1970-01-01. */
export interface ZoneClock {
  readonly timezone: string;
  /** The day that calendars show. */
  dayAt(instant: Instant): number;
  /** When clocks show so many minutes since midnight of a day: the earlier of two, and what is skipped moves on by the gap. */
  instantOn(day: number, minute: number): Instant;
  /** False for a day that the zone left out, as Samoa did with 2011-12-30. */
  has(day: number): boolean;
}

/** The clock of a zone; it remembers the instants of a year or so. */
export const zoneClock = remembered(600, (timezone): ZoneClock => {
  const dayAt = (instant: Instant): number => Math.floor((instant + offsetAt(instant, timezone)) / day);
  const instantOf = remembered(2000, (minute: number) => {
    const wall = new Date(minute * 60_000);
    const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth() + 1];
    const [hour, minuteOfHour] = [wall.getUTCHours(), wall.getUTCMinutes()];
    return instantOfWallClock({ year, month, day: wall.getUTCDate(), hour, minute: minuteOfHour }, timezone);
  });
  const instantOn = (number: number, minute: number): Instant => instantOf(number * minutesOfDay + minute);
  return { timezone, dayAt, instantOn, has: (number) => dayAt(instantOn(number, minutesOfDay / 2)) === number };
});

/** The day of a date, `YYYY-MM-DD`. */
export const dayOfDate = remembered(2000, (date: string) => Date.parse(`${date}T00:00:00Z`) / day);

/** The date of a day, `YYYY-MM-DD`. */
export const dateOfDay = remembered(2000, (number: number) => new Date(number * day).toISOString().slice(0, 10));

/** The week of a day, from Monday; 0 is the week of 1970-01-01. */
export const weekOf = (number: number): number => Math.floor((number + 3) / 7);

/** The place of a day in its week, Monday = 0. */
export const weekdayOf = (number: number): number => number + 3 - weekOf(number) * 7;
