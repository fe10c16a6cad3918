import ICAL from 'ical.js';
import { type HoursRules, hoursSchema, parseTimeZone, wallClockAt, type WallClock, weekdays } from '@calends/model';
import { inOurWords, schemaFaults } from '../configuration/schema-faults.js';
import { RefusedError } from '../exit-codes.js';
import { refused } from './read-import.js';

type Rule = HoursRules['weekly'][number];

const day = 24 * 60 * 60_000;

/** Whether a file is iCalendar. */
export function isCalendar(text: string): boolean {
  return /^\uFEFF?\s*BEGIN:VCALENDAR\b/i.test(text);
}

/**
 * Hours from the VAVAILABILITY of an iCalendar file (RFC 7953): each AVAILABLE that comes back every week is a weekly rule.
 *
 * @throws RefusedError with the place of everything that weekly rules cannot say
 */
export function hoursOfCalendar(
  file: string,
  text: string,
  actorId: string | undefined,
): { readonly actorId: string; readonly rules: HoursRules } {
  if (actorId === undefined) throw new RefusedError('--actor is missing: a calendar does not say whose hours it has');
  const whole = availabilityIn(file, text);
  const faults = [...faultsOfBounds(whole), ...faultsOfRules(text)];
  const found = whole.getAllSubcomponents('available').flatMap((component, index) => {
    try {
      return [ruleOf(component)];
    } catch (error) {
      faults.push(`AVAILABLE ${String(index + 1)}: ${error instanceof Fault ? error.message : 'is not valid'}`);
      return [];
    }
  });
  const [first] = found;
  if (first === undefined && faults.length === 0) faults.push('VAVAILABILITY: must have something AVAILABLE');
  const other = found.findIndex(({ zone }) => zone !== first?.zone);
  if (other !== -1) faults.push(`AVAILABLE ${String(other + 1)}: DTSTART: must have the zone of the first one`);
  if (first === undefined || faults.length > 0) throw refused(file, faults);
  const rules = hoursSchema.safeParse({ timezone: first.zone, weekly: found.map(({ rule }) => rule) }, inOurWords);
  if (!rules.success) throw refused(file, schemaFaults(hoursSchema, rules.error));
  return { actorId, rules: rules.data };
}

/** What weekly rules cannot say. */
class Fault extends Error {}

function availabilityIn(file: string, text: string): ICAL.Component {
  let all: readonly ICAL.Component[];
  try {
    all = new ICAL.Component(ICAL.parse(text) as unknown[]).getAllSubcomponents('vavailability');
  } catch {
    // The message of the library repeats a piece of the file.
    throw new RefusedError(`${file}: the file is not valid iCalendar`);
  }
  const [only, ...others] = all;
  if (only === undefined || others.length > 0) throw refused(file, ['must have one VAVAILABILITY']);
  return only;
}

function faultsOfBounds(whole: ICAL.Component): readonly string[] {
  return ['dtstart', 'dtend', 'duration']
    .filter((name) => whole.hasProperty(name))
    .map((name) => `VAVAILABILITY: ${name.toUpperCase()}: is not taken; bound each AVAILABLE by DTSTART and UNTIL`);
}

/** Read as they are written: the library makes a whole number of any interval, and of two parts of one name it takes the last. */
function faultsOfRules(text: string): readonly string[] {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const rules = lines
    .filter((line) => /^RRULE[;:]/i.test(line))
    .map((line) =>
      [...line.matchAll(/\b([A-Z]+)=([^;]*)/gi)].map(([, name = '', value = '']) => [name.toUpperCase(), value]),
    );
  const intervals = rules.flat().filter(([name]) => name === 'INTERVAL');
  const isRight = intervals.every(([, interval = '']) => /^[1-9]\d*$/.test(interval.trim()));
  const isOnce = rules.every((parts) => new Set(parts.map(([name]) => name)).size === parts.length);
  return [
    ...(isRight ? [] : ['RRULE: INTERVAL must be a whole number from 1']),
    ...(isOnce ? [] : ['RRULE: each part must be there once']),
  ];
}

function ruleOf(available: ICAL.Component): { readonly zone: string; readonly rule: Rule } {
  const start = timeOf(available, 'DTSTART');
  const zone = zoneOf(available, start);
  const length = lengthOf(available, start);
  const from = clockOf(start);
  const end = wallMilliseconds(start) + length;
  if (start.second !== 0 || end % 60_000 !== 0) throw new Fault('DTSTART, DTEND: must be whole minutes');
  for (const name of ['RDATE', 'EXDATE', 'EXRULE', 'RECURRENCE-ID']) {
    if (available.hasProperty(name.toLowerCase())) throw new Fault(`${name}: is not taken; say it as an exception`);
  }
  const recurrence = weeklyOf(available);
  const { interval, until } = recurrence;
  const named = (recurrence.parts as { readonly BYDAY?: readonly string[] }).BYDAY;
  const days = weekdays.filter((name, index) => named?.includes(name) ?? (start.dayOfWeek() + 5) % 7 === index);
  if (named !== undefined && days.length !== new Set(named).size) {
    throw new Fault('RRULE: BYDAY: must be days of the week, such as MO,TU');
  }
  const untilText = new Date(end).toISOString().slice(11, 16);
  return {
    zone,
    rule: {
      days: [...days],
      from,
      until: untilText === '00:00' ? '24:00' : untilText,
      ...(interval === 1 ? {} : { everyWeeks: interval }),
      validFrom: dateOf(wallMilliseconds(start)),
      ...(until === null ? {} : { validUntil: lastDayOf(until, zone, from) }),
    },
  };
}

function timeOf(available: ICAL.Component, name: 'DTSTART' | 'DTEND'): ICAL.Time {
  const property = onlyOne(available, name);
  const value: unknown = property?.getFirstValue();
  if (property === undefined || !(value instanceof ICAL.Time) || value.isDate) {
    throw new Fault(`${name}: must be a date with a time`);
  }
  requireReal(name, writtenIn(property));
  return value;
}

/** Of two the library reads the first and says nothing. */
function onlyOne(available: ICAL.Component, name: string): ICAL.Property | undefined {
  const [only, ...others] = available.getAllProperties(name.toLowerCase());
  if (others.length > 0) throw new Fault(`${name}: must be there once`);
  return only;
}

/** The value of a property as it stands in the file (RFC 7265, section 3.4). */
const writtenIn = (property: ICAL.Property): unknown => (property.toJSON() as readonly unknown[])[3];

/** The library makes the 2nd of March of the 30th of February, and the next day of the hour 25. */
function requireReal(place: string, written: unknown): void {
  const text = String(written).replace(/Z$/, '');
  const whole = text.includes('T') ? text : `${text}T00:00:00`;
  const at = Date.parse(`${whole}Z`);
  if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(whole)) {
    throw new Fault(`${place}: must be a time that there is`);
  }
}

function zoneOf(available: ICAL.Component, start: ICAL.Time): string {
  const named: unknown = available.getFirstProperty('dtstart')?.getParameter('tzid');
  const name = typeof named === 'string' ? named : start.zone.tzid;
  const zone = name === 'floating' ? undefined : parseTimeZone(name);
  if (zone === undefined) throw new Fault('DTSTART: must have an IANA zone in TZID, or be UTC');
  return zone;
}

/** From start to end on the wall, in milliseconds. */
function lengthOf(available: ICAL.Component, start: ICAL.Time): number {
  const duration: unknown = onlyOne(available, 'DURATION')?.getFirstValue();
  if (duration !== undefined && available.hasProperty('dtend'))
    throw new Fault('DURATION: must not stand beside DTEND');
  const zoneAt = (name: string, time: ICAL.Time): unknown =>
    available.getFirstProperty(name)?.getParameter('tzid') ?? time.zone.tzid;
  if (
    !(duration instanceof ICAL.Duration) &&
    zoneAt('dtend', timeOf(available, 'DTEND')) !== zoneAt('dtstart', start)
  ) {
    throw new Fault('DTEND: must have the zone of DTSTART');
  }
  const length =
    duration instanceof ICAL.Duration
      ? duration.toSeconds() * 1000
      : wallMilliseconds(timeOf(available, 'DTEND')) - wallMilliseconds(start);
  const wholeDay = length === day && clockOf(start) === '00:00';
  if (length <= 0 || (length >= day && !wholeDay)) throw new Fault('DTEND: must be less than a day after DTSTART');
  return length;
}

function weeklyOf(available: ICAL.Component): ICAL.Recur {
  const [rule, ...others] = available.getAllProperties('rrule');
  const value: unknown = rule?.getFirstValue();
  if (rule === undefined || !(value instanceof ICAL.Recur) || others.length > 0)
    throw new Fault('RRULE: must be there once: hours are weekly');
  const { freq, count, wkst, interval, parts, until } = value;
  if (freq !== 'WEEKLY') throw new Fault('RRULE: FREQ must be WEEKLY');
  if (count !== null) throw new Fault('RRULE: COUNT is not taken; use UNTIL');
  const other = Object.keys(parts).find((part) => part !== 'BYDAY');
  if (other !== undefined) throw new Fault(`RRULE: ${other} is not taken`);
  if (interval > 1 && wkst !== ICAL.Time.MONDAY) throw new Fault('RRULE: WKST must be MO');
  if (until !== null) requireReal('RRULE: UNTIL', (writtenIn(rule) as { readonly until?: unknown }).until);
  return value;
}

/** The last day on which a shift that begins at `from` does not begin after `until`. */
function lastDayOf(until: ICAL.Time, zone: string, from: string): string {
  if (until.isDate) return dateOf(wallMilliseconds(until));
  const isUtc = until.zone.tzid === 'UTC';
  const wall = isUtc ? millisecondsOf(wallClockAt(wallMilliseconds(until), zone)) : wallMilliseconds(until);
  return dateOf(new Date(wall).toISOString().slice(11, 16) >= from ? wall : wall - day);
}

function wallMilliseconds({ year, month, day: date, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, date, hour, minute, second);
}

function millisecondsOf({ year, month, day: date, hour, minute }: WallClock): number {
  return Date.UTC(year, month - 1, date, hour, minute);
}

const clockOf = (time: ICAL.Time): string => new Date(wallMilliseconds(time)).toISOString().slice(11, 16);

const dateOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);
