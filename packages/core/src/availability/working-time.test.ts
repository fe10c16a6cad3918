import { describe, expect, it } from 'vitest';
import { at, everyDay, hoursOf, iso } from '../../test/availability/sample-question.js';
import { workingTime } from './working-time.js';

type Hours = Partial<Parameters<typeof hoursOf>[1]>;

/** Openings that meet the days, as text. */
function openings(more: Hours, from: string, to: string, which: 'openings' | 'open' = 'openings'): readonly string[] {
  const window = { from: at(`${from}T00:00:00Z`), to: at(`${to}T00:00:00Z`) };
  const found = workingTime(hoursOf('anna', more), window)[which];
  return found
    .meeting(window.from, window.to)
    .map((opening) => `${iso(opening.from).slice(0, -8)}/${iso(opening.to).slice(0, -8)}`)
    .sort();
}

const daily = (from: string, until: string) => [{ days: [...everyDay], from, until }];

describe('Working time on days on which clocks change', () => {
  it.each([
    // Forward: what is skipped moves on by the gap; back: the earlier of two.
    ['Europe/Berlin', '2026-03-29', '01:00', '04:00', '2026-03-29T00:00/2026-03-29T02:00'],
    ['Europe/Berlin', '2026-03-29', '02:30', '04:00', '2026-03-29T01:30/2026-03-29T02:00'],
    ['Europe/Berlin', '2026-10-25', '01:00', '04:00', '2026-10-24T23:00/2026-10-25T03:00'],
    ['Europe/Berlin', '2026-10-25', '02:30', '04:00', '2026-10-25T00:30/2026-10-25T03:00'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '03:00', '2026-10-03T15:45/2026-10-03T16:00'],
    ['Australia/Lord_Howe', '2026-04-05', '01:00', '03:00', '2026-04-04T14:00/2026-04-04T16:30'],
    ['Antarctica/Troll', '2026-03-29', '00:00', '04:00', '2026-03-29T00:00/2026-03-29T02:00'],
    ['Antarctica/Troll', '2026-10-25', '00:00', '04:00', '2026-10-24T22:00/2026-10-25T04:00'],
    ['Africa/Cairo', '2026-04-24', '00:30', '02:00', '2026-04-23T22:30/2026-04-23T23:00'],
    ['Africa/Cairo', '2026-10-29', '22:00', '24:00', '2026-10-29T19:00/2026-10-29T22:00'],
    ['America/St_Johns', '2026-03-08', '01:00', '04:00', '2026-03-08T04:30/2026-03-08T06:30'],
    ['America/St_Johns', '2026-11-01', '01:00', '04:00', '2026-11-01T03:30/2026-11-01T07:30'],
  ])('in %s on %s, a shift from %s until %s is %s', (timezone, date, from, until, expected) => {
    const exceptions = { [date]: { open: [{ from, until }] } };
    expect(openings({ timezone, weekly: [], exceptions }, '2026-01-01', '2026-12-31')).toEqual([expected]);
  });

  it.each([
    ['2026-03-28', '2026-03-28T21:00/2026-03-29T04:00'],
    ['2026-10-24', '2026-10-24T20:00/2026-10-25T05:00'],
    ['2026-06-01', '2026-06-01T20:00/2026-06-02T04:00'],
  ])('a night shift in Berlin that begins on %s is %s', (date, expected) => {
    const exceptions = { [date]: { open: [{ from: '22:00', until: '06:00' }] } };
    expect(openings({ timezone: 'Europe/Berlin', weekly: [], exceptions }, '2026-01-01', '2026-12-31')).toEqual([
      expected,
    ]);
  });

  it('a shift that the change leaves nothing of is none', () => {
    const hours = { timezone: 'Europe/Berlin', weekly: daily('02:30', '03:30') };
    expect(openings(hours, '2026-03-28', '2026-03-31')).toEqual([
      '2026-03-28T01:30/2026-03-28T02:30',
      '2026-03-30T00:30/2026-03-30T01:30',
    ]);
  });

  it('a day that begins before clocks go back over midnight has its shift, where the window ends on the day before again', () => {
    const hours = hoursOf('anna', { timezone: 'America/St_Johns', weekly: daily('00:00', '08:00') });
    // At 00:01 it became 23:01.
    const window = { from: at('2010-11-07T02:30:00Z'), to: at('2010-11-07T02:40:00Z') };
    expect(workingTime(hours, window).open.covers(window.from, window.to)).toBe(true);
  });

  it('a day that a zone leaves out has no shifts', () => {
    const hours = { timezone: 'Pacific/Apia', weekly: daily('09:00', '10:00') };
    expect(openings(hours, '2011-12-29', '2012-01-01')).toEqual([
      '2011-12-29T19:00/2011-12-29T20:00',
      '2011-12-30T19:00/2011-12-30T20:00',
      '2011-12-31T19:00/2011-12-31T20:00',
    ]);
  });
});

describe('Weekly rules', () => {
  it('weekly rules hold on their days, from the first valid one to the last', () => {
    const rule = { days: ['MO' as const, 'SU' as const], from: '09:00', until: '10:00' };
    const weekly = [{ ...rule, validFrom: '2026-05-10', validUntil: '2026-05-18' }];
    expect(openings({ weekly }, '2026-05-01', '2026-06-01').map((text) => text.slice(0, 10))).toEqual([
      '2026-05-10',
      '2026-05-11',
      '2026-05-17',
      '2026-05-18',
    ]);
  });

  it('weekly rules of every third week count from the week of their first day, which begins on Monday', () => {
    const weekly = [
      { days: ['MO' as const], from: '09:00', until: '10:00', everyWeeks: 3, validFrom: '2026-05-10' },
      { days: ['SU' as const], from: '09:00', until: '10:00', everyWeeks: 3, validFrom: '2026-05-10' },
    ];
    expect(openings({ weekly }, '2026-05-01', '2026-06-30').map((text) => text.slice(0, 10))).toEqual([
      '2026-05-10',
      '2026-05-25',
      '2026-05-31',
      '2026-06-15',
      '2026-06-21',
    ]);
  });

  it('weekly rules of a night shift hold for the day on which it begins', () => {
    const weekly = [{ days: ['MO' as const], from: '22:00', until: '06:00' }];
    expect(openings({ weekly }, '2026-05-05', '2026-05-06')).toEqual(['2026-05-04T22:00/2026-05-05T06:00']);
  });
});

describe('Exceptions', () => {
  it('exceptions take the place of all weekly rules for shifts that begin on their day', () => {
    const weekly = daily('22:00', '06:00');
    const exceptions = { '2026-05-05': { open: [{ from: '10:00', until: '11:00' }] }, '2026-05-06': { open: [] } };
    expect(openings({ weekly, exceptions }, '2026-05-05', '2026-05-08')).toEqual([
      '2026-05-04T22:00/2026-05-05T06:00',
      '2026-05-05T10:00/2026-05-05T11:00',
      '2026-05-07T22:00/2026-05-08T06:00',
    ]);
  });
});

it('Shifts that meet or touch are one open time', () => {
  const weekly = [
    ...daily('09:00', '12:00'),
    ...daily('12:00', '14:00'),
    ...daily('13:00', '17:00'),
    ...daily('18:00', '24:00'),
  ];
  const night = [...weekly, ...daily('00:00', '01:00')];
  expect(openings({ weekly: night }, '2026-05-05', '2026-05-06', 'open')).toEqual([
    '2026-05-04T18:00/2026-05-05T01:00',
    '2026-05-05T09:00/2026-05-05T17:00',
    '2026-05-05T18:00/2026-05-06T01:00',
  ]);
});
