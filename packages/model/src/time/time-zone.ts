import { formatInTimeZone } from 'date-fns-tz';
import { remembered } from '../remembered.js';
import { days, hours, type Instant, minutes, seconds } from './instant.js';
import { timeZoneNames } from './time-zone-names.js';

const maxNameLength = 64;
const nameForm = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;
const spelling = new Map(timeZoneNames.map((name) => [name.toLowerCase(), name]));

/**
 * Reads the name of a time zone: any IANA zone or link that the run time knows, or `UTC` (D5).
 *
 * Letter case is corrected, an alias is never replaced by the zone it stands for. Returns `undefined` for
 * offsets, the empty text and unknown names.
 */
export function parseTimeZone(text: string): string | undefined {
  if (text.length > maxNameLength || !nameForm.test(text)) return undefined;
  return knownZone(text);
}

/**
 * Names of an old list that run times still know, and that are no IANA names: `BST` is the time of Bangladesh there, `CST` that of
 * Chicago. New zones of the database have an area before their name.
 */
const isForeignName = (text: string): boolean => !text.includes('/') || /^SystemV\//i.test(text);

const knownZone = remembered(2000, (text) => {
  const spelled = spelling.get(text.toLowerCase());
  if (spelled === undefined && isForeignName(text)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
  } catch {
    return undefined;
  }
  return spelled ?? text;
});

/** A date and time on the wall, in some zone. */
export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second?: number | undefined;
}

/**
 * What to do with a wall-clock time that a zone repeats or skips.
 *
 * `compatible` (RFC 5545, Temporal): the earlier of a repeated hour, and a skipped one moved forward by the gap.
 */
export type Disambiguation = 'compatible' | 'earlier' | 'later' | 'reject';

/** Read from date-fns-tz's offset token, which alone is right whatever zone the process itself is in. */
function readOffset(instant: Instant, timezone: string): number {
  const text = formatInTimeZone(instant, timezone, 'xxxxx');
  const sign = text.startsWith('-') ? -1 : 1;
  const [hour = 0, minute = 0, second = 0] = text.slice(1).split(':').map(Number);
  return sign * (hours(hour) + minutes(minute) + second * 1000);
}

const spansOf = remembered(600, (timezone) => offsetSpans((instant) => readOffset(instant, timezone)));

/** The offset of a zone from UTC at an instant, and a time around it in which the offset does not change. */
export function offsetSpanAt(instant: Instant, timezone: string): OffsetSpan {
  return spansOf(timezone)(instant);
}

/** The offset of a zone from UTC at an instant, in milliseconds, east positive. */
export function offsetAt(instant: Instant, timezone: string): number {
  return offsetSpanAt(instant, timezone).offset;
}

/** The wall clock of a zone at an instant. */
export function wallClockAt(instant: Instant, timezone: string): Required<WallClock> {
  const wall = new Date(instant + offsetAt(instant, timezone));
  return {
    year: wall.getUTCFullYear(),
    month: wall.getUTCMonth() + 1,
    day: wall.getUTCDate(),
    hour: wall.getUTCHours(),
    minute: wall.getUTCMinutes(),
    second: wall.getUTCSeconds(),
  };
}

/**
 * The instant at which a zone's clocks show a wall-clock time (D5).
 *
 * Returns `undefined` only with `reject`, for a time that the zone repeats or skips. The one place in the
 * library that goes from wall clock to instant.
 */
export function instantOfWallClock(
  wall: WallClock,
  timezone: string,
  disambiguation?: Exclude<Disambiguation, 'reject'>,
): Instant;
export function instantOfWallClock(
  wall: WallClock,
  timezone: string,
  disambiguation?: Disambiguation,
): Instant | undefined;
export function instantOfWallClock(
  wall: WallClock,
  timezone: string,
  disambiguation: Disambiguation = 'compatible',
): Instant | undefined {
  const local = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second ?? 0);
  const before = offsetAt(local - days(1), timezone);
  const after = offsetAt(local + days(1), timezone);
  const matches = [...new Set([local - before, local - after])]
    .filter((instant) => instant + offsetAt(instant, timezone) === local)
    .sort((a, b) => a - b);
  const [first, second] = matches;
  if (first !== undefined && second === undefined) return first;
  if (disambiguation === 'reject') return undefined;
  if (first !== undefined && second !== undefined) {
    return disambiguation === 'later' ? second : first;
  }
  // Skipped: the offset from before the gap gives the later instant, the one from after it the earlier.
  return disambiguation === 'earlier' ? local - Math.max(before, after) : local - Math.min(before, after);
}

/** A time, half-open, in which the offset of a zone stays the same; before and after it, it may be the same. */
export interface OffsetSpan {
  /** Milliseconds, east positive. */
  readonly offset: number;
  readonly from: Instant;
  readonly to: Instant;
}

/** Shorter than the time between any two changes of one zone since 1970, which is 7 days: none has two changes. */
const stretch = days(5);
/** Four years of one zone. */
const maxStretches = 300;

/**
 * Remembers where the offset of a zone stays the same, so that the slow `read` is asked for each stretch of days once, and
 * for each change some 20 times.
 */
export function offsetSpans(read: (instant: Instant) => number): (instant: Instant) => OffsetSpan {
  const edgeOf = remembered(maxStretches, (number: number) => read(number * stretch));
  const spansOf = remembered(maxStretches, (number: number): readonly [OffsetSpan, OffsetSpan?] => {
    const [from, to] = [number * stretch, (number + 1) * stretch];
    const [first, last] = [edgeOf(number), edgeOf(number + 1)];
    if (first === last) return [{ offset: first, from, to }];
    const change = changeAfter(from, to);
    return [
      { offset: first, from, to: change },
      { offset: last, from: change, to },
    ];
  });

  /** The second from which on the offset is another than at `from`; changes happen on whole seconds. */
  function changeAfter(from: Instant, to: Instant): Instant {
    const before = read(from);
    let [left, right] = [from, to];
    while (right - left > seconds(1)) {
      const middle = left + Math.floor((right - left) / seconds(2)) * seconds(1);
      if (read(middle) === before) left = middle;
      else right = middle;
    }
    return right;
  }

  // What is asked for one after the other is near.
  let last: OffsetSpan = { offset: 0, from: Infinity, to: Infinity };
  return (instant) => {
    if (instant >= last.from && instant < last.to) return last;
    const [first, second] = spansOf(Math.floor(instant / stretch));
    return (last = second === undefined || instant < first.to ? first : second);
  };
}
