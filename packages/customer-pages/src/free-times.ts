import { instantOfWallClock } from '@calends/core';
import { formatInstant, type Offers, wallClockAt } from '@calends/core/operations';

/** Days that one page shows. */
const shownDays = 7;
/** Days that are looked at beyond them, where they have nothing; customers with a manage link may ask for no more. */
const daysAhead = 31;
/** No page begins later than so many days from now. */
const farthest = 731;

/** A start that can be had, and its end. */
export interface FreeTime {
  readonly start: number;
  readonly end: number;
}

/** Free times of some days, and where others are. Days are `YYYY-MM-DD` on the clocks of one zone. */
export interface FreeTimes {
  /** Those that have any. */
  readonly days: readonly { readonly date: string; readonly times: readonly FreeTime[] }[];
  readonly from: string;
  readonly until: string;
  /** First day of the page before; absent on the first. */
  readonly earlier: string | undefined;
  readonly later: string | undefined;
  /** The first day with a free time after these, where these have none. */
  readonly next: string | undefined;
}

/** What is asked. */
export interface FreeTimesQuestion {
  /** Finds starts between two instants, ISO 8601. */
  readonly find: (window: { readonly from: string; readonly to: string }) => Promise<Offers>;
  readonly zone: string;
  /** First day, as the address names it; today where it names none. */
  readonly asked: string;
  readonly now: number;
}

/** Finds the free times of a week. */
export async function findFreeTimes({ find, zone, asked, now }: FreeTimesQuestion): Promise<FreeTimes> {
  const today = dayOf(now, zone);
  const last = addDays(today, farthest);
  const from = /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked > today && asked <= last ? addDays(asked, 0) : today;
  const end = addDays(from, shownDays);
  /** All of them, or up to the first answer that has any: one answer does not hold them all where the grid is fine. */
  const between = async (first: string, after: string, isEnough = false): Promise<readonly FreeTime[]> => {
    const found: FreeTime[] = [];
    const to = midnight(after, zone);
    for (let begin: string | undefined = midnight(first, zone); begin !== undefined;) {
      const { durations, next }: Offers = await find({ from: begin, to });
      found.push(...durations.flatMap(({ offers }) => offers));
      begin = next === undefined || (isEnough && found.length > 0) ? undefined : formatInstant(next);
    }
    return found;
  };
  const days = new Map<string, FreeTime[]>();
  for (const time of await between(from, end)) {
    const date = dayOf(time.start, zone);
    const times = days.get(date);
    if (times === undefined) days.set(date, [time]);
    else times.push(time);
  }
  const [first] = days.size > 0 ? [] : await between(end, addDays(end, daysAhead), true);
  const earlier = addDays(from, -shownDays);
  return {
    days: [...days].map(([date, times]) => ({ date, times })),
    from,
    until: addDays(end, -1),
    earlier: from === today ? undefined : earlier > today ? earlier : today,
    later: end > last ? undefined : end,
    next: first && dayOf(first.start, zone),
  };
}

/** The day with which a page begins that shows a time; `undefined` where the first page does. */
export function dayToReturnTo(start: number, zone: string, now: number): string | undefined {
  return start < now + (shownDays - 1) * 86_400_000 ? undefined : dayOf(start, zone);
}

/** The day of an instant on the clocks of a zone. */
export function dayOf(instant: number, zone: string): string {
  const { year, month, day } = wallClockAt(instant, zone);
  return textOf(Date.UTC(year, month - 1, day));
}

/** A day that is none, as `2030-02-30`, becomes one that is. */
function addDays(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return textOf(Date.UTC(year, month - 1, day + days));
}

const textOf = (utc: number): string => new Date(utc).toISOString().slice(0, 10);

function midnight(date: string, zone: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return formatInstant(instantOfWallClock({ year, month, day, hour: 0, minute: 0 }, zone));
}
