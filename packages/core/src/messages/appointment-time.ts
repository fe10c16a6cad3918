import { days, hours, minutes, offsetAt, remembered, tagOfDates } from '@calends/model';
import type { Schedule } from '../domain/appointments/appointment.js';
import { lastResort } from './catalogues.js';
import type { AppointmentArguments, ArgumentsOf, TemplateKey } from './template-keys.js';

const [day, hour, minute] = [days(1), hours(1), minutes(1)];

/** Says a text in the language of the message. */
export type Say = <Key extends TemplateKey>(key: Key, values: ArgumentsOf<Key>) => string;

type TimeArguments = Pick<
  AppointmentArguments,
  'when' | 'whenShort' | 'date' | 'startTime' | 'endTime' | 'zone' | 'utcOffset' | 'duration' | 'minutes'
>;

/**
 * When an appointment takes place, in words: on the clocks of its own zone, with the zone's name and its offset at
 * that instant; with both offsets when the clocks change in between.
 */
export function timeArguments({ start, end, timezone }: Schedule, locale: string, say: Say): TimeArguments {
  const formats = formatsOf(locale);
  const zone = timezone.replaceAll('_', ' ');
  const startOffset = offsetAt(start, timezone);
  const endOffset = offsetAt(end, timezone);
  // The wall clock as a date in UTC, so that the formats need no zone and the process's own never matters.
  const startWall = start + startOffset;
  const endWall = end + endOffset;
  const sameDay = Math.floor(startWall / day) === Math.floor(endWall / day);
  const startTime = formats.time.format(startWall);
  const endTime = formats.time.format(endWall);
  const utcOffset = say('time.offset', { offset: numericOffset(startOffset) });

  const range = (date: Intl.DateTimeFormat): string => {
    const from = say('time.point', { date: date.format(startWall), time: startTime });
    const to = sameDay ? endTime : say('time.point', { date: date.format(endWall), time: endTime });
    if (startOffset !== endOffset) {
      const after = say('time.offset', { offset: numericOffset(endOffset) });
      return say('time.range.shift', { start: from, startOffset: utcOffset, end: to, endOffset: after, zone });
    }
    return say(sameDay ? 'time.range' : 'time.range.days', { start: from, end: to, zone, utcOffset });
  };
  return {
    when: range(formats.date),
    whenShort: range(formats.shortDate),
    date: formats.date.format(startWall),
    startTime,
    endTime,
    zone,
    utcOffset,
    duration: durationInWords(end - start, formats),
    minutes: Math.round((end - start) / minute),
  };
}

/** How far off something is, in words, in the largest unit that fits: `in 24 hours`; negative: `24 hours ago`. */
export function distanceInWords(milliseconds: number, locale: string): string {
  const { relative } = formatsOf(locale);
  const size = Math.abs(milliseconds);
  if (size >= 2 * day && size % day === 0) return relative.format(milliseconds / day, 'day');
  if (size >= hour && size % hour === 0) return relative.format(milliseconds / hour, 'hour');
  return relative.format(Math.round(milliseconds / minute), 'minute');
}

function durationInWords(milliseconds: number, { units, list }: ReturnType<typeof formatsOf>): string {
  const counts = {
    day: Math.floor(milliseconds / day),
    hour: Math.floor((milliseconds % day) / hour),
    minute: Math.floor((milliseconds % hour) / minute),
    second: (milliseconds % minute) / 1000,
  };
  const named = (['day', 'hour', 'minute', 'second'] as const).filter((unit) => counts[unit] > 0);
  return list.format(named.map((unit) => units[unit].format(counts[unit])));
}

/** `+3`, `+5:30`, `-3:30`, `+0`; no zone has had seconds since 1972. */
function numericOffset(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const rest = Math.floor((size % hour) / minute);
  const smaller = rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`;
  return `${milliseconds < 0 ? '-' : '+'}${Math.floor(size / hour)}${smaller}`;
}

const formatsOf = remembered(100, (locale) => {
  // English without a region reads the day before the month, as most of its readers outside of America do. The
  // second tag keeps the language of the process out of it, where the run time does not know the first.
  const tags = [locale === 'en' ? 'en-GB' : tagOfDates(locale), lastResort];
  const unit = (name: string) => new Intl.NumberFormat(tags, { style: 'unit', unit: name, unitDisplay: 'long' });
  return {
    date: new Intl.DateTimeFormat(tags, { timeZone: 'UTC', dateStyle: 'full' }),
    shortDate: new Intl.DateTimeFormat(tags, {
      timeZone: 'UTC',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    }),
    time: new Intl.DateTimeFormat(tags, { timeZone: 'UTC', timeStyle: 'short' }),
    units: { day: unit('day'), hour: unit('hour'), minute: unit('minute'), second: unit('second') },
    list: new Intl.ListFormat(tags, { type: 'unit', style: 'long' }),
    relative: new Intl.RelativeTimeFormat(tags, { numeric: 'always' }),
  };
});
