import {
  describeDuration,
  type DurationForms,
  formatInstant,
  type Instant,
  lastInstant,
  limits,
  parseDuration,
  parseInstant,
  parseTimeZone,
  seconds,
} from '@calends/model';
import { CalendsError } from '../calls/errors.js';
import type { InputIssues } from '../calls/input.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { Schedule } from './appointment.js';
import type { EventSchedule } from './events.js';

/** How far in the past a start may lie, for clocks that differ (D3). */
const pastTolerance = seconds(60);

/** A schedule as requests give it. */
export interface ScheduleInput {
  readonly start: string;
  readonly duration: string;
  readonly timezone: string;
}

/** Reads the form of a schedule; faults go to `issues`, and the answer is then not to be used. */
export function readSchedule(input: ScheduleInput, issues: InputIssues): Schedule {
  const start = readInstant('/start', input.start, issues);
  const duration = readDuration('/duration', input.duration, issues);
  const timezone = parseTimeZone(issues.requiredText('/timezone', input.timezone, limits.timezone));
  if (timezone === undefined && input.timezone) {
    issues.add('/timezone', 'invalid_value', 'Must be the name of an IANA time zone, or UTC.');
  }
  return { start, end: start + duration, timezone: timezone ?? 'UTC' };
}

/** Reads an instant that must be there. */
export function readInstant(pointer: string, text: unknown, issues: InputIssues): Instant {
  const given = issues.requiredText(pointer, text, limits.instant);
  const instant = parseInstant(given);
  if (instant === undefined && given !== '') {
    issues.add(
      pointer,
      'invalid_format',
      'Must be an ISO 8601 timestamp with Z or a numeric offset, in the years 1970 to 9999.',
    );
  }
  return instant ?? 0;
}

/** Reads a duration that must be there. */
export function readDuration(
  pointer: string,
  text: unknown,
  issues: InputIssues,
  forms: DurationForms = 'dayTime',
): number {
  const given = issues.requiredText(pointer, text, limits.duration);
  const duration = parseDuration(given, forms);
  if (duration === undefined && given !== '') {
    issues.add(pointer, 'invalid_format', durationFaults[forms]);
  }
  return duration ?? 0;
}

const durationFaults: Readonly<Record<DurationForms, string>> = {
  dayTime: 'Must be an ISO 8601 duration of days, hours, minutes and seconds.',
  iso8601: 'Must be an ISO 8601 duration of weeks, or of days, hours, minutes and seconds.',
};

/**
 * Checks a schedule against the application's rules (D3, D4).
 *
 * @throws CalendsError `invalid_schedule`
 */
export function requireAcceptable(schedule: Schedule, settings: ApplicationSettings, now: Instant): void {
  const duration = schedule.end - schedule.start;
  const { min, max } = settings.duration;
  if (duration < min || duration > max) {
    throw invalidSchedule(
      '/duration',
      'out_of_range',
      `Must be from ${describeDuration(min)} to ${describeDuration(max)}.`,
    );
  }
  requireEnd(schedule);
  if (!settings.allowPastStart && schedule.start < now - pastTolerance) {
    throw invalidSchedule('/start', 'in_the_past', 'Must not lie in the past.');
  }
}

/** What is said of a time that begins in a year that can be written and ends after it. */
export const endsTooLate = 'Must end before the year 10000.';

/**
 * A time must end in a year that can be written (D3).
 *
 * @throws CalendsError `invalid_schedule`
 */
export function requireEnd({ end }: Pick<Schedule, 'end'>): void {
  if (end > lastInstant) throw invalidSchedule('/start', 'out_of_range', endsTooLate);
}

/** Tells whether two schedules are the same. */
export function sameSchedule(one: Schedule, other: Schedule): boolean {
  return sameTime(one, other) && one.timezone === other.timezone;
}

/** Tells whether two schedules take the same time, in whatever zone. */
export function sameTime(one: Schedule, other: Schedule): boolean {
  return one.start === other.start && one.end === other.end;
}

/** A schedule as events carry it. */
export function eventSchedule(schedule: Schedule): EventSchedule {
  return {
    start: formatInstant(schedule.start),
    end: formatInstant(schedule.end),
    timezone: schedule.timezone,
  };
}

function invalidSchedule(pointer: string, code: string, detail: string): CalendsError {
  return new CalendsError('invalid_schedule', 'The schedule is not acceptable.', {
    issues: [{ pointer, code, detail }],
  });
}
