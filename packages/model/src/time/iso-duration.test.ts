import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quickest } from '../../test/quickest.js';
import { describeDuration, formatDuration, isCalendarDuration, parseDuration } from './iso-duration.js';
import { days, hours, minutes, seconds } from './instant.js';

describe('A duration (D4)', () => {
  it.each([
    ['PT5M', minutes(5)],
    ['PT60M', hours(1)],
    ['PT1H', hours(1)],
    ['PT90S', seconds(90)],
    ['P1D', hours(24)],
    ['P1DT2H3M4S', days(1) + hours(2) + minutes(3) + seconds(4)],
    ['P0DT1H', hours(1)],
    ['PT1.5H', minutes(90)],
    ['PT1,5H', minutes(90)],
    ['P0.5D', hours(12)],
    ['PT0.25M', seconds(15)],
    ['PT0.001S', 1],
    ['PT1H30.5M', minutes(90) + seconds(30)],
    ['PT0S', 0],
    ['PT0012M', minutes(12)],
  ])('%s is of PnD, PTnH, PTnM, PTnS, fractions included, one D exactly 24 h', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    ['PT1H30M (1 hour 30 minutes)', minutes(90)],
    ['PT5M (5 minutes)', minutes(5)],
    ['P1D (1 day)', days(1)],
  ])('%s is the answered form and can be sent back', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    ['weeks', 'P1W'],
    ['months', 'P1M'],
    ['years', 'P1Y'],
    ['a year and time', 'P1YT1H'],
    ['a minus before', '-P1D'],
    ['a minus inside', 'PT-1H'],
    ['a plus', '+PT1H'],
    ['no part', 'P'],
    ['no time part', 'PT'],
    ['an empty time part', 'P1DT'],
    ['an exponent', 'PT1E5S'],
    ['the wrong order', 'PT5M1H'],
    ['a part twice', 'PT5M5M'],
    ['a fraction not in the smallest part', 'PT1.5H30M'],
    ['a fraction without digits', 'PT1.H'],
    ['a fraction without a whole', 'PT.5H'],
    ['lower case', 'pt5m'],
    ['hours before the T', 'P5H'],
    ['days after the T', 'PT1D'],
    ['more than 15 digits of milliseconds', 'P999999999D'],
    ['20 digits', 'PT99999999999999999999S'],
    ['more than 32 characters', `PT${'0'.repeat(31)}5M`],
    ['hexadecimal', 'PT0x5M'],
    ['infinity', 'PTInfinityS'],
    ['Arabic digits', 'PT٥M'],
    ['a blank', 'PT5M '],
    ['a line feed', 'PT5M\n'],
    ['milliseconds', '300000'],
    ['an open parenthesis', 'PT5M (5 minutes'],
    ['a parenthesis only', ' (5 minutes)'],
    ['a long plain form', `PT5M (${'x'.repeat(200)})`],
    ['an empty text', ''],
  ])('%s is refused', (_why, text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('a duration of 100 KB is refused before a regular expression runs', () => {
    for (const hostile of [`PT${'1'.repeat(100_000)}S`, `PT5M (${'('.repeat(100_000)})`]) {
      expect(parseDuration(hostile)).toBeUndefined();
      expect(quickest(() => parseDuration(hostile))).toBeLessThan(20);
    }
  });

  it('a duration has weeks of 7 days in the v1 list filter, and neither years nor months', () => {
    expect(parseDuration('P2W', 'iso8601')).toBe(days(14));
    expect(parseDuration('P0.5W', 'iso8601')).toBe(hours(84));
    expect(parseDuration('PT5M', 'iso8601')).toBe(minutes(5));
    expect(parseDuration('P1Y', 'iso8601')).toBeUndefined();
    expect(parseDuration('P1M', 'iso8601')).toBeUndefined();
    expect(parseDuration('P1W2D', 'iso8601')).toBeUndefined();
  });

  it.each(['P1Y', 'P1M', 'P1Y2M', 'P1Y2M3DT4H5M6S', 'P1MT1M', 'P0.5M', 'P1Y1.5D'])(
    'a duration is valid with years or months in the v1 list filter: %s',
    (text) => {
      expect(isCalendarDuration(text)).toBe(true);
    },
  );

  it.each([
    '',
    'P',
    'PM',
    'PT1M',
    'PT1M1H',
    'P1MT',
    'P1M2Y',
    'P1.5Y2M',
    'P1Y2W',
    'P1M1',
    'P1YT2D',
    `P${'1'.repeat(40)}Y`,
  ])('a duration is no such duration: %j', (text) => {
    expect(isCalendarDuration(text)).toBe(false);
  });

  it('a duration is compared by milliseconds: PT60M = PT1H', () => {
    expect(parseDuration('PT60M')).toBe(parseDuration('PT1H'));
    expect(parseDuration('P1D')).toBe(parseDuration('PT24H'));
  });
});

describe('An answered duration (D4)', () => {
  it.each([
    [minutes(90), 'PT1H30M (1 hour 30 minutes)'],
    [minutes(5), 'PT5M (5 minutes)'],
    [minutes(60), 'PT1H (1 hour)'],
    [hours(24), 'P1D (1 day)'],
    [days(2) + seconds(1), 'P2DT1S (2 days 1 second)'],
    [minutes(1) + 500, 'PT1M0.5S (1 minute 0.5 seconds)'],
    [days(1) + hours(2) + minutes(3) + seconds(4), 'P1DT2H3M4S (1 day 2 hours 3 minutes 4 seconds)'],
    [0, 'PT0S (0 seconds)'],
  ])(
    'an answered duration of %i ms is canonical, largest unit first, zero units left out, with plain English',
    (milliseconds, text) => {
      expect(describeDuration(milliseconds)).toBe(text);
    },
  );

  const anyDuration = fc.oneof(fc.nat(days(8)), fc.nat(Number.MAX_SAFE_INTEGER));

  it('an answered duration is read back as the same milliseconds, with and without the plain form', () => {
    fc.assert(
      fc.property(anyDuration, (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
        expect(parseDuration(describeDuration(milliseconds))).toBe(milliseconds);
      }),
    );
  });
});
