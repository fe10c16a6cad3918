import { describe, expect, it } from 'vitest';
import { days, hours, minutes } from '@calends/model';
import { distanceInWords, timeArguments } from './appointment-time.js';
import { catalogues } from './catalogues.js';

const texts = catalogues({});

function timeIn(locale: string, timezone: string, start: string, end: string) {
  const schedule = { start: Date.parse(start), end: Date.parse(end), timezone };
  const words = timeArguments(schedule, locale, (key, values) => texts.say(locale, key, values));
  // Versions of CLDR differ in blanks, and in the comma after an English weekday.
  const plain = (text: string): string => text.replaceAll(/\s/g, ' ').replaceAll(/([a-z]day),? (\d)/g, '$1, $2');
  return { ...words, when: plain(words.when), duration: plain(words.duration), whenShort: plain(words.whenShort) };
}

describe('When an appointment takes place', () => {
  it.each([
    [
      'before the clocks go forward',
      'Europe/Athens',
      '2027-03-27T07:00Z',
      '2027-03-27T07:30Z',
      'Saturday, 27 March 2027, 09:00–09:30 (Europe/Athens, GMT+2)',
    ],
    [
      'after they did',
      'Europe/Athens',
      '2027-05-04T06:00Z',
      '2027-05-04T06:30Z',
      'Tuesday, 4 May 2027, 09:00–09:30 (Europe/Athens, GMT+3)',
    ],
    [
      'across the hour that is skipped, with both offsets',
      'Europe/Athens',
      '2027-03-28T00:30Z',
      '2027-03-28T01:30Z',
      'Sunday, 28 March 2027, 02:30 (GMT+2) – 04:30 (GMT+3), Europe/Athens',
    ],
    [
      'across the hour that comes twice, with both offsets',
      'Europe/Athens',
      '2027-10-31T00:30Z',
      '2027-10-31T01:30Z',
      'Sunday, 31 October 2027, 03:30 (GMT+3) – 03:30 (GMT+2), Europe/Athens',
    ],
    [
      'across a change of half an hour',
      'Australia/Lord_Howe',
      '2027-10-02T15:15Z',
      '2027-10-02T15:45Z',
      'Sunday, 3 October 2027, 01:45 (GMT+10:30) – 02:45 (GMT+11), Australia/Lord Howe',
    ],
    [
      'across a change and midnight',
      'America/Santiago',
      '2027-09-05T03:30Z',
      '2027-09-05T04:30Z',
      'Saturday, 4 September 2027, 23:30 (GMT-4) – Sunday, 5 September 2027, 01:30 (GMT-3), America/Santiago',
    ],
    [
      'across midnight',
      'America/New_York',
      '2027-01-06T04:30Z',
      '2027-01-06T05:30Z',
      'Tuesday, 5 January 2027, 23:30 – Wednesday, 6 January 2027, 00:30 (America/New York, GMT-5)',
    ],
    [
      'in a zone with a quarter of an hour',
      'Asia/Kathmandu',
      '2027-05-04T06:00Z',
      '2027-05-04T06:30Z',
      'Tuesday, 4 May 2027, 11:45–12:15 (Asia/Kathmandu, GMT+5:45)',
    ],
    [
      'in a zone behind UTC by half an hour',
      'America/St_Johns',
      '2027-01-05T12:00Z',
      '2027-01-05T12:30Z',
      'Tuesday, 5 January 2027, 08:30–09:00 (America/St Johns, GMT-3:30)',
    ],
    ['in UTC', 'UTC', '2027-05-04T06:00Z', '2027-05-04T06:30Z', 'Tuesday, 4 May 2027, 06:00–06:30 (UTC, GMT+0)'],
  ])('an appointment %s is on the clocks of its zone', (_case, zone, start, end, when) => {
    expect(timeIn('en', zone, start, end).when).toBe(when);
  });

  it.each([
    ['en', 'Tue', '09:00-09:30'],
    ['en-US', 'Tue', '9:00 AM-9:30 AM'],
    ['de', 'Di', '09:00-09:30 Uhr'],
    ['de-CH', 'Di', '09:00-09:30 Uhr'],
    ['el', 'Τρί', '9:00 π.μ. - 9:30 π.μ.'],
  ])('When an appointment takes place is written as %s has it, also in its short form', (locale, weekday, time) => {
    const { whenShort } = timeIn(locale, 'Europe/Athens', '2027-05-04T06:00Z', '2027-05-04T06:30Z');
    expect(whenShort.startsWith(weekday)).toBe(true);
    expect(whenShort.replaceAll('–', '-')).toContain(`${time} (Europe/Athens, GMT+3)`);
  });

  it('When an appointment takes place is English where the run time does not know the language, whatever language the process has', () => {
    expect(timeIn('tlh', 'UTC', '2027-05-04T06:00Z', '2027-05-04T06:30Z').when).toContain('May 4, 2027');
  });

  it.each(['en', 'en-US', 'de', 'el', 'fr'])(
    'When an appointment takes place names its month in %s, also where the locale asks for the calendar of ISO 8601',
    (language) => {
      const [iso, gregorian] = ['iso8601', 'gregory'].map((calendar) =>
        timeIn(`${language}-u-ca-${calendar}`, 'UTC', '2027-05-04T06:00Z', '2027-05-04T06:30Z'),
      );
      expect(iso).toEqual(gregorian);
    },
  );

  it.each([
    ['en', minutes(30), '30 minutes'],
    ['en', hours(1), '1 hour'],
    ['en', hours(1) + minutes(30), '1 hour, 30 minutes'],
    ['en', days(1) + hours(2), '1 day, 2 hours'],
    ['en', 90_500, '1 minute, 30.5 seconds'],
    ['de', hours(1) + minutes(30), '1 Stunde, 30 Minuten'],
    ['el', hours(2), '2 ώρες'],
  ])('When an appointment takes place says in %s how long %d ms are', (locale, length, words) => {
    const end = new Date(Date.UTC(2027, 4, 4) + length).toISOString();
    expect(timeIn(locale, 'UTC', '2027-05-04T00:00Z', end).duration).toBe(words);
  });

  it('When an appointment takes place is written for more locales than are remembered', () => {
    for (let index = 0; index < 120; index += 1) {
      expect(distanceInWords(minutes(30), `de-x-p${index}`)).toBe('in 30 Minuten');
    }
    expect(distanceInWords(minutes(30), 'de-x-p0')).toBe('in 30 Minuten');
  });
});

describe('How far off something is', () => {
  it.each([
    ['en', hours(24), 'in 24 hours'],
    ['en', minutes(30), 'in 30 minutes'],
    ['en', minutes(90), 'in 90 minutes'],
    ['en', days(2), 'in 2 days'],
    ['en', hours(36), 'in 36 hours'],
    ['en', -hours(1), '1 hour ago'],
    ['de', days(2), 'in 2 Tagen'],
    ['el', hours(24), 'σε 24 ώρες'],
  ])('how far off something is is said in %s for %d ms as %s', (locale, offset, words) => {
    expect(distanceInWords(offset, locale)).toBe(words);
  });
});
