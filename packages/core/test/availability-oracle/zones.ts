// Clocks of zones by Temporal, in minutes of Unix time. Nothing here knows how the library does it.
import { Temporal } from 'temporal-polyfill';

export const minute = 60_000;
export const minutesOfDay = 1440;

const offset = (at: number, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(at * minute).toZonedDateTimeISO(zone).offsetNanoseconds / (minute * 1e6);

/** The offset at each minute of a day of UTC; Temporal is asked minute by minute where the day has a change. */
function offsetsOf(day: number, zone: string): Int16Array {
  const first = day * minutesOfDay;
  const usual = offset(first, zone);
  const offsets = new Int16Array(minutesOfDay).fill(usual);
  if (offset(first + minutesOfDay - 1, zone) === usual) return offsets;
  return offsets.map((_, at) => offset(first + at, zone));
}

const tables = new Map<string, Map<number, Int16Array>>();

/** What the zone's clocks show, in milliseconds as if they were clocks of UTC. */
export function wallAt(instant: number, zone: string): number {
  const at = Math.floor(instant / minute);
  const day = Math.floor(at / minutesOfDay);
  let days = tables.get(zone);
  if (days === undefined) tables.set(zone, (days = new Map()));
  let offsets = days.get(day);
  if (offsets === undefined) days.set(day, (offsets = offsetsOf(day, zone)));
  return instant + offsets[at - day * minutesOfDay]! * minute;
}

/** The date that the zone's calendars show, in days from 1970-01-01. */
export const dateAt = (instant: number, zone: string): number =>
  Math.floor(wallAt(instant, zone) / (minute * minutesOfDay));

/** 0 = Monday. */
export const weekdayOf = (date: number): number => (((date + 3) % 7) + 7) % 7;

export const mondayOf = (date: number): number => date - weekdayOf(date);

const instants = new Map<string, Map<number, number>>();

/** The instant of a date and a minute of it on the wall, as Temporal means `compatible`. */
export function instantOf(date: number, minuteOfDay: number, zone: string): number {
  const wall = date * minutesOfDay + minuteOfDay;
  let ofZone = instants.get(zone);
  if (ofZone === undefined) instants.set(zone, (ofZone = new Map()));
  let found = ofZone.get(wall);
  if (found === undefined) {
    const text = new Date(wall * minute).toISOString().slice(0, -1);
    found = Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
    ofZone.set(wall, found);
  }
  return found;
}

/** False for a date that a zone left out, as Samoa did with 2011-12-30. */
export const isShown = (date: number, zone: string): boolean => dateAt(instantOf(date, 720, zone), zone) === date;
