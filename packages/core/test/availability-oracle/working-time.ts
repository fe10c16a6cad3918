import type { HoursRules } from '@calends/model';
import type { ActorHours } from '../../src/ports/availability-source.js';
import { dateAt, instantOf, isShown, minute, minutesOfDay, mondayOf, weekdayOf } from './zones.js';

interface Opening {
  readonly start: number;
  readonly end: number;
}

type Shift = Readonly<Record<'from' | 'until', string>>;

const minutesOf = (wall: string): number => Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3));
const nameOf = (date: number): string => new Date(date * minutesOfDay * minute).toISOString().slice(0, 10);
const dateOf = (name: string): number => Date.parse(`${name}T00:00:00Z`) / (minutesOfDay * minute);
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;

function holdsOn(rule: HoursRules['weekly'][number], date: number): boolean {
  const { days, everyWeeks = 1, validFrom, validUntil } = rule;
  if (!days.includes(weekdays[weekdayOf(date)]!)) return false;
  if (validFrom !== undefined && date < dateOf(validFrom)) return false;
  if (validUntil !== undefined && date > dateOf(validUntil)) return false;
  if (everyWeeks === 1) return true;
  return ((mondayOf(date) - mondayOf(dateOf(validFrom!))) / 7) % everyWeeks === 0;
}

function shiftsOf(hours: ActorHours, date: number, minds: boolean): readonly Shift[] {
  const hasExceptions = minds && Object.keys(hours.exceptions).length > 0;
  const exception = hasExceptions ? hours.exceptions[nameOf(date)] : undefined;
  return exception?.open ?? hours.weekly.filter((rule) => holdsOn(rule, date));
}

/** Every opening of an actor around a span of time, none joined; `minds` = exceptions hold. */
export function openingsOf(hours: ActorHours, span: Opening, minds: boolean): readonly Opening[] {
  const { timezone } = hours;
  const openings: Opening[] = [];
  for (let date = dateAt(span.start, timezone) - 2; date <= dateAt(span.end, timezone) + 2; date++) {
    if (!isShown(date, timezone)) continue;
    for (const shift of shiftsOf(hours, date, minds)) {
      const [from, until] = [minutesOf(shift.from), minutesOf(shift.until)];
      const start = instantOf(date, from, timezone);
      const end =
        until === minutesOfDay || until <= from
          ? instantOf(date + 1, until % minutesOfDay, timezone)
          : instantOf(date, until, timezone);
      if (start < end) openings.push({ start, end });
    }
  }
  return openings;
}

/** Tells of any time in the span whether each minute of it is open. */
export function openMinutes(openings: readonly Opening[], span: Opening): (start: number, end: number) => boolean {
  const first = Math.floor(span.start / minute);
  const open = new Uint8Array(Math.ceil(span.end / minute) - first);
  for (const { start, end } of openings) {
    const [begin, over] = [start / minute - first, end / minute - first];
    if (over > 0) open.fill(1, Math.max(0, begin), over);
  }
  return (start, end) => {
    for (let at = Math.floor(start / minute) - first; (first + at) * minute < end; at++) {
      if (open[at] !== 1) return false;
    }
    return true;
  };
}
