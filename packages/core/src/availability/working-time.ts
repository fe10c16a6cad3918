import { type HoursRules, type TimeWindow, weekdays } from '@calends/model';
import type { ActorHours } from '../ports/availability-source.js';
import { joined, type OpenTime } from './open-time.js';
import { SpanIndex } from './span-index.js';
import { dayOfDate, weekdayOf, weekOf, type ZoneClock, zoneClock } from './zone-clock.js';

/** When an actor works. */
export interface WorkingTime {
  readonly clock: ZoneClock;
  /** One for each shift of each day. */
  readonly openings: SpanIndex<TimeWindow>;
  /** The same time, joined. */
  readonly open: OpenTime;
  /** What would be open without exceptions, joined. */
  readonly usual: OpenTime;
}

/** Minutes since midnight; an end that is not after the begin is one of the next day. */
interface Shift {
  readonly from: number;
  readonly until: number;
}

type Weekly = HoursRules['weekly'][number];

const minutesOf = (wall: string): number => Number(wall.slice(0, 2)) * 60 + Number(wall.slice(3));

function shiftOf(written: Readonly<Record<keyof Shift, string>>): Shift {
  const [from, until] = [minutesOf(written.from), minutesOf(written.until)];
  return { from, until: until <= from ? until + minutesOf('24:00') : until };
}

/** The shift of a weekly rule on a day, if it has one. */
function weeklyShift(rule: Weekly): (day: number) => readonly Shift[] {
  const { everyWeeks = 1, validFrom = '1970-01-01', validUntil = '9999-12-31' } = rule;
  const [first, last] = [dayOfDate(validFrom), dayOfDate(validUntil)];
  const places = new Set(rule.days.map((name) => weekdays.indexOf(name)));
  const shifts = [shiftOf(rule)];
  return (day) =>
    places.has(weekdayOf(day)) && day >= first && day <= last && (weekOf(day) - weekOf(first)) % everyWeeks === 0
      ? shifts
      : [];
}

/** Compiles the hours of an actor for whatever happens in the window; exceptions must be known from two days before it on. */
export function workingTime({ timezone, weekly, exceptions }: ActorHours, window: TimeWindow): WorkingTime {
  const clock = zoneClock(timezone);
  const rules = weekly.map(weeklyShift);
  const exceptional = new Map(
    Object.entries(exceptions).map(([date, { open }]) => [dayOfDate(date), open.map(shiftOf)] as const),
  );
  const openingsOf = (shiftsOn: (day: number) => readonly Shift[]): readonly TimeWindow[] => {
    const openings: TimeWindow[] = [];
    // A shift begins on the day before at the earliest; where a zone leaves a day out, the day before is one more back.
    // Clocks may go back over midnight, so that the window has some of the day after its end.
    for (let day = clock.dayAt(window.from) - 2; day <= clock.dayAt(window.to) + 1; day += 1) {
      if (!clock.has(day)) continue;
      for (const { from, until } of shiftsOn(day)) {
        const opening = { from: clock.instantOn(day, from), to: clock.instantOn(day, until) };
        if (opening.from < opening.to) openings.push(opening);
      }
    }
    return openings;
  };
  const usualOn = (day: number): readonly Shift[] => rules.flatMap((shiftsOn) => shiftsOn(day));
  const usual = openingsOf(usualOn);
  const openings = exceptional.size === 0 ? usual : openingsOf((day) => exceptional.get(day) ?? usualOn(day));
  const open = joined(openings);
  return { clock, openings: new SpanIndex(openings), open, usual: openings === usual ? open : joined(usual) };
}
