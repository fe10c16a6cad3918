import { describe, expect, it } from 'vitest';
import { hours, lastInstant, minutes, seconds } from '@calends/model';
import { errorOf } from '../../../test/error-of.js';
import { now } from '../../../test/sample-appointments.js';
import { InputIssues } from '../calls/input.js';
import { type ApplicationSettings, defaultApplicationSettings } from '../../settings/application-settings.js';
import type { Schedule } from './appointment.js';
import { eventSchedule, readSchedule, requireAcceptable, sameSchedule, type ScheduleInput } from './schedule.js';

const input: ScheduleInput = { start: '2030-05-06T14:00:00+03:00', duration: 'PT30M', timezone: 'europe/athens' };

async function faultsOf(schedule: object): Promise<readonly string[]> {
  const issues = new InputIssues();
  readSchedule({ ...input, ...schedule }, issues);
  const error = await errorOf(() => issues.throwIfAny());
  return error.issues.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('A schedule', () => {
  it('a schedule is read from start, duration and time zone; the end is derived', () => {
    const issues = new InputIssues();
    const start = Date.UTC(2030, 4, 6, 11);
    expect(readSchedule(input, issues)).toEqual({ start, end: start + minutes(30), timezone: 'Europe/Athens' });
    expect(() => issues.throwIfAny()).not.toThrow();
  });

  it.each<[string, object, readonly string[]]>([
    ['without a start', { start: undefined }, ['/start required']],
    ['without a duration', { duration: '' }, ['/duration required']],
    ['without a time zone', { timezone: null }, ['/timezone required']],
    ['with a start that has no zone', { start: '2030-05-06T14:00:00' }, ['/start invalid_format']],
    ['with a duration in weeks', { duration: 'P1W' }, ['/duration invalid_format']],
    ['with an offset for a time zone', { timezone: '+03:00' }, ['/timezone invalid_value']],
    ['with a number for a start', { start: 5 }, ['/start invalid_type']],
    [
      'with a time zone of 1 MB',
      { timezone: 'x'.repeat(1_000_000) },
      ['/timezone too_long', '/timezone invalid_value'],
    ],
    [
      'without anything',
      { start: undefined, duration: undefined, timezone: undefined },
      ['/start required', '/duration required', '/timezone required'],
    ],
  ])('a schedule %s is refused', async (_what, schedule, faults) => {
    expect(await faultsOf(schedule)).toEqual(faults);
  });

  const schedule = (start: number, duration: number): Schedule => ({ start, end: start + duration, timezone: 'UTC' });

  function verdict(of: Schedule, settings: Partial<ApplicationSettings> = {}): Promise<string> {
    const call = (): void => requireAcceptable(of, { ...defaultApplicationSettings, ...settings }, now);
    return errorOf(call).then(
      (error) => `${error.code} ${error.issues[0]?.pointer ?? ''} ${error.issues[0]?.code ?? ''}`,
      () => 'accepted',
    );
  }

  const tooShortOrLong = 'invalid_schedule /duration out_of_range';
  const past = 'invalid_schedule /start in_the_past';
  const long = { duration: { min: hours(2), max: hours(48) } };

  it.each<[string, Schedule, Partial<ApplicationSettings>, string]>([
    ['1 minute', schedule(now, minutes(1)), {}, 'accepted'],
    ['24 hours', schedule(now, hours(24)), {}, 'accepted'],
    ['less than 1 minute', schedule(now, minutes(1) - 1), {}, tooShortOrLong],
    ['more than 24 hours', schedule(now, hours(24) + 1), {}, tooShortOrLong],
    ['nothing', schedule(now, 0), {}, tooShortOrLong],
    ['what the application allows', schedule(now, hours(48)), long, 'accepted'],
    ['less than the application allows', schedule(now, hours(1)), long, tooShortOrLong],
    ['a start 60 s in the past', schedule(now - seconds(60), hours(1)), {}, 'accepted'],
    ['a start more than 60 s in the past', schedule(now - seconds(60) - 1, hours(1)), {}, past],
    ['a past start that the application allows', schedule(0, hours(1)), { allowPastStart: true }, 'accepted'],
    ['an end after the year 9999', schedule(lastInstant, hours(1)), {}, 'invalid_schedule /start out_of_range'],
  ])('a schedule of %s is judged by the rules of the application (D3, D4)', async (_what, of, settings, expected) => {
    expect(await verdict(of, settings)).toBe(expected);
  });

  it('a schedule is the same when start, end and time zone are', () => {
    const one = schedule(now, hours(1));
    expect(sameSchedule(one, { ...one })).toBe(true);
    expect(sameSchedule(one, { ...one, start: one.start + 1 })).toBe(false);
    expect(sameSchedule(one, { ...one, end: one.end + 1 })).toBe(false);
    expect(sameSchedule(one, { ...one, timezone: 'Etc/UTC' })).toBe(false);
  });

  it('a schedule stands in events as ISO 8601 in UTC', () => {
    expect(eventSchedule(schedule(now, hours(1)))).toEqual({
      start: '2030-05-06T08:00:00Z',
      end: '2030-05-06T09:00:00Z',
      timezone: 'UTC',
    });
  });
});
