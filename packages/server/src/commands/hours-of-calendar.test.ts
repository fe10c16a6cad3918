import { describe, expect, it } from 'vitest';
import { hoursOfCalendar, isCalendar } from './hours-of-calendar.js';

const usual = [
  'DTSTART;TZID=Europe/Vienna:20261102T090000',
  'DTEND;TZID=Europe/Vienna:20261102T170000',
  'RRULE:FREQ=WEEKLY;BYDAY=MO,TU',
];

function calendarOf(parts: readonly (readonly string[])[], bounds: readonly string[] = []): string {
  const all = parts.flatMap((lines) => ['BEGIN:AVAILABLE', 'UID:a', ...lines, 'END:AVAILABLE']);
  return [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', 'BEGIN:VAVAILABILITY', 'UID:v', ...bounds],
    ...[...all, 'END:VAVAILABILITY', 'END:VCALENDAR', ''],
  ].join('\r\n');
}

const read = (text: string, actorId: string | undefined = 'agent-1') => hoursOfCalendar('a.ics', text, actorId);

function faultOf(text: string): string {
  try {
    read(text);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The usual part with another line in place of the one of that name. */
const withLine = (line: string): readonly string[] => {
  const name = /^\w+/.exec(line)?.[0] ?? '';
  return [...usual.filter((each) => !each.startsWith(name)), line];
};

describe('the hours of a calendar', () => {
  it('the hours of a calendar are told from JSON by its first line', () => {
    expect([isCalendar(calendarOf([usual])), isCalendar('{}'), isCalendar('BEGIN:VCARD')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('the hours of a calendar are a weekly rule for each AVAILABLE', () => {
    const utc = ['DTSTART;TZID=Europe/Vienna:20261107T200000', 'DURATION:PT8H', 'RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=MO'];
    expect(read(calendarOf([usual, utc]))).toEqual({
      actorId: 'agent-1',
      rules: {
        timezone: 'Europe/Vienna',
        weekly: [
          { days: ['MO', 'TU'], from: '09:00', until: '17:00', validFrom: '2026-11-02' },
          { days: ['SA'], from: '20:00', until: '04:00', everyWeeks: 2, validFrom: '2026-11-07' },
        ],
      },
    });
  });

  it.each([
    // 09:00 in Vienna is 08:00 UTC: the shift of that day still begins.
    ['20261207T080000Z', '2026-12-07'],
    ['20261207T075959Z', '2026-12-06'],
    ['20261207', '2026-12-07'],
  ])('the hours of a calendar with UNTIL=%s are valid until %s', (until, validUntil) => {
    const { rules } = read(calendarOf([withLine(`RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=${until}`)]));
    expect(rules.weekly).toEqual([
      { days: ['MO'], from: '09:00', until: '17:00', validFrom: '2026-11-02', validUntil },
    ]);
  });

  it('the hours of a calendar may last from midnight to midnight', () => {
    const days = ['DTSTART:20261102T000000Z', 'DTEND:20261103T000000Z', 'RRULE:FREQ=WEEKLY'];
    expect(read(calendarOf([days])).rules).toEqual({
      timezone: 'UTC',
      weekly: [{ days: ['MO'], from: '00:00', until: '24:00', validFrom: '2026-11-02' }],
    });
  });

  it.each<readonly [string, string]>([
    ['RRULE:FREQ=DAILY', 'RRULE: FREQ must be WEEKLY'],
    ['RRULE:FREQ=WEEKLY;COUNT=3', 'RRULE: COUNT is not taken; use UNTIL'],
    ['RRULE:FREQ=WEEKLY;BYMONTH=3', 'RRULE: BYMONTH is not taken'],
    ['RRULE:FREQ=WEEKLY;BYDAY=2MO', 'RRULE: BYDAY: must be days of the week, such as MO,TU'],
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU', 'RRULE: WKST must be MO'],
    ['DTSTART;TZID=Europe/Vienna:nonsense', 'is not valid'],
    ['EXDATE;TZID=Europe/Vienna:20261109T090000', 'EXDATE: is not taken; say it as an exception'],
    ['EXRULE:FREQ=WEEKLY;BYDAY=TU', 'EXRULE: is not taken; say it as an exception'],
    ['RECURRENCE-ID;TZID=Europe/Vienna:20261109T090000', 'RECURRENCE-ID: is not taken; say it as an exception'],
    ['DTSTART:20261102T090000', 'DTSTART: must have an IANA zone in TZID, or be UTC'],
    ['DTSTART;TZID=Home:20261102T090000', 'DTSTART: must have an IANA zone in TZID, or be UTC'],
    ['DTSTART;VALUE=DATE:20261102', 'DTSTART: must be a date with a time'],
    ['DTSTART;TZID=Europe/Vienna:20261102T090030', 'DTSTART, DTEND: must be whole minutes'],
    ['DTEND;TZID=Europe/Vienna:20261103T100000', 'DTEND: must be less than a day after DTSTART'],
    ['DTEND:20261102T170000Z', 'DTEND: must have the zone of DTSTART'],
    ['DTEND:20261102T170000', 'DTEND: must have the zone of DTSTART'],
    ['DTSTART;TZID=Europe/Vienna:20260230T090000', 'DTSTART: must be a time that there is'],
    ['DTSTART;TZID=Europe/Vienna:20261102T250000', 'DTSTART: must be a time that there is'],
    ['DTEND;TZID=Europe/Vienna:20261102T176000', 'DTEND: must be a time that there is'],
    ['RRULE:FREQ=WEEKLY;UNTIL=20270229', 'RRULE: UNTIL: must be a time that there is'],
    ['RRULE:FREQ=WEEKLY;UNTIL=20270229T090000Z', 'RRULE: UNTIL: must be a time that there is'],
    ['DURATION:PT1H', 'DURATION: must not stand beside DTEND'],
  ])('the hours of a calendar refuse %s with its place', (line, fault) => {
    expect(faultOf(calendarOf([usual, withLine(line)]))).toBe(`a.ics: AVAILABLE 2: ${fault}`);
  });

  it.each([
    ...(['DTSTART', 'DTEND'] as const).map((name): [string, string] => [
      calendarOf([[...usual, `${name};TZID=Europe/Vienna:20261103T120000`]]),
      `a.ics: AVAILABLE 1: ${name}: must be there once`,
    ]),
    [
      calendarOf([[...usual.slice(0, 1), 'DURATION:PT1H', 'DURATION:PT2H', 'RRULE:FREQ=WEEKLY']]),
      'a.ics: AVAILABLE 1: DURATION: must be there once',
    ],
    [calendarOf([usual.slice(0, 2)]), 'a.ics: AVAILABLE 1: RRULE: must be there once: hours are weekly'],
    [
      calendarOf([
        usual,
        withLine('DTSTART:20261102T090000Z').map((line) => line.replace(/^DTEND.*/, 'DURATION:PT1H')),
      ]),
      'a.ics: AVAILABLE 2: DTSTART: must have the zone of the first one',
    ],
    [
      calendarOf([['DTSTART:20261102T090000Z', 'DTEND:20261102T170000', 'RRULE:FREQ=WEEKLY']]),
      'a.ics: AVAILABLE 1: DTEND: must have the zone of DTSTART',
    ],
    ...['0', '-2', '2.5', '+1', '1\r\n  0 '].map((interval): [string, string] => [
      calendarOf([withLine(`RRULE:FREQ=WEEKLY;WKST=MO;INTERVAL=${interval}`)]),
      'a.ics: RRULE: INTERVAL must be a whole number from 1',
    ]),
    ...['BYDAY=MO;BYDAY=TU', 'UNTIL=20261231;until=20271231', 'INTERVAL=1;INTERVAL=2'].map(
      (twice): [string, string] => [
        calendarOf([withLine(`RRULE:FREQ=WEEKLY;WKST=MO;${twice}`)]),
        'a.ics: RRULE: each part must be there once',
      ],
    ),
    [calendarOf([]), 'a.ics: VAVAILABILITY: must have something AVAILABLE'],
    [
      calendarOf([usual], ['DTEND:20271231T000000Z']),
      'a.ics: VAVAILABILITY: DTEND: is not taken; bound each AVAILABLE by DTSTART and UNTIL',
    ],
    ['BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', 'a.ics: must have one VAVAILABILITY'],
    ['BEGIN:VCALENDAR\r\nhunter2', 'a.ics: the file is not valid iCalendar'],
    [
      calendarOf([withLine('RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260101T000000Z')]),
      'a.ics: weekly.0.validUntil: never opens: validUntil is before validFrom',
    ],
  ])('the hours of a calendar refuse what weekly rules cannot say (%#)', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('the hours of a calendar need to be told whose they are', () => {
    expect(() => hoursOfCalendar('a.ics', calendarOf([usual]), undefined)).toThrow('--actor is missing');
  });
});
