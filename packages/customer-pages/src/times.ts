import type { Schedule } from '@calends/core';
import { offsetAt, remembered, tagOfDates } from '@calends/core/operations';
import type { Instant } from '@calends/core/store';
import { dayOf } from './free-times.js';
import type { Language } from './texts/languages.js';

const clock = { hour: 'numeric', minute: '2-digit' } as const;
const forms = {
  clock,
  dayAndClock: { ...clock, weekday: 'short' },
  date: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  day: { weekday: 'long', day: 'numeric', month: 'long' },
  instant: { dateStyle: 'long', timeStyle: 'short' },
  offset: { timeZoneName: 'shortOffset' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const known = remembered(200, (key: string): Intl.DateTimeFormat => {
  const [region, zone, form] = JSON.parse(key) as [string, string, keyof typeof forms];
  return new Intl.DateTimeFormat(tagOfDates(region), { ...forms[form], timeZone: zone });
});

/** To make a format takes seventy times as long as to write an instant with it, and a page of free times has thousands of them. */
const formatOf = (region: string, zone: string, form: keyof typeof forms): Intl.DateTimeFormat =>
  known(JSON.stringify([region, zone, form]));

/** A schedule as one zone's clocks show it. */
export interface ShownTime {
  /** Day of the week and date; two where it ends on another day. */
  readonly day: string;
  /** With both offsets where the clocks change meanwhile: `3:30 (GMT+3) – 3:30 (GMT+2)`. */
  readonly clock: string;
  /** Name and offset of the zone, for example `Europe/Athens, GMT+3`. */
  readonly zone: string;
}

/** The schedule on the clocks of a zone, in a language. */
export function shownTime({ start, end }: Schedule, zone: string, { region }: Language): ShownTime {
  const clocks = formatOf(region, zone, 'clock');
  const day = formatOf(region, zone, 'date').formatRange(start, end);
  const [from, to] = [clocks.format(start), clocks.format(end)];
  const [before, after] = [offsetName(start, zone), offsetName(end, zone)];
  return before === after
    ? { day, clock: `${from} – ${to}`, zone: nameOf(zone, start) }
    : { day, clock: `${from} (${before}) – ${to} (${after})`, zone };
}

/** An instant on the clocks of a zone, in a language, with the zone. */
export function shownInstant(instant: Instant, zone: string, { region }: Language): string {
  return `${formatOf(region, zone, 'instant').format(instant)} (${nameOf(zone, instant)})`;
}

/** The time of day of an instant in a zone; with the day of the week where its day is not the one that is named. */
export function clockIn(instant: Instant, zone: string, { region }: Language, day?: string): string {
  const isAnother = day !== undefined && dayOf(instant, zone) !== day;
  return formatOf(region, zone, isAnother ? 'dayAndClock' : 'clock').format(instant);
}

/** A day, `YYYY-MM-DD`, in words. */
export function dayInWords(date: string, { region }: Language): string {
  return formatOf(region, 'UTC', 'day').format(Date.parse(date));
}

/** The place that names a zone: `Athens`. */
export function placeOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** A zone with its offset at an instant. */
export function nameOf(zone: string, instant: Instant): string {
  return zone === 'UTC' ? zone : `${zone}, ${offsetName(instant, zone)}`;
}

/** The offset of a zone at an instant, as `GMT+3`. */
export function offsetName(instant: Instant, zone: string): string {
  const parts = formatOf('en', zone, 'offset').formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Tells whether two zones show the same wall clock at both ends of a schedule. */
export function showTheSame(schedule: Pick<Schedule, 'start' | 'end'>, one: string, other: string): boolean {
  return [schedule.start, schedule.end].every((at) => offsetAt(at, one) === offsetAt(at, other));
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** A duration in words: `1 hour 30 minutes`. */
export function durationInWords({ start, end }: Pick<Schedule, 'start' | 'end'>, { region }: Language): string {
  let rest = end - start;
  const words = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0
      ? []
      : [new Intl.NumberFormat(region, { style: 'unit', unit, unitDisplay: 'long' }).format(count)];
  });
  return words.join(' ');
}
