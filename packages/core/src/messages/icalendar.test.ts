import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aborted, cancelled, now, scheduled } from '../../test/sample-appointments.js';
import { withoutLinks } from './plain-text.js';
import { addEvent, calendarEvents, calendarFrame, type ICalendarOptions, toICalendar } from './icalendar.js';
import { ICalCalendar, ICalCalendarMethod } from 'ical-generator';

interface Line {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Reads a calendar file by RFC 5545, section 3.1, and by nothing else. */
function read(content: string): readonly Line[] {
  expect(content.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  for (const line of content.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  // Every line ends so, the last one as well.
  expect(content.endsWith('\r\n')).toBe(true);
  const lines = content
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
    .slice(0, -1);
  return lines.map((line) => {
    const match = /^([A-Z-]+)((?:;[A-Z-]+=(?:"[^"]*"|[^";:,]*))*):(.*)$/s.exec(line);
    expect(match, line).not.toBeNull();
    const [, name = '', parameters = '', value = ''] = match!;
    const pairs = [...parameters.matchAll(/;([A-Z-]+)=(?:"([^"]*)"|([^";:,]*))/g)];
    return { name, parameters: Object.fromEntries(pairs.map(([, key, quoted, bare]) => [key, quoted ?? bare])), value };
  });
}

const unescaped = (value: string): string =>
  value.replaceAll(/\\([\\;,nN])/g, (_, mark: string) => (/n/i.test(mark) ? '\n' : mark));
const valueOf = (content: string, name: string): string | undefined =>
  read(content).find((line) => line.name === name)?.value;

const mailed: ICalendarOptions = {
  method: 'REQUEST',
  organizer: 'Calends <no-reply@example.org>',
  attendee: { address: 'maria@example.org', name: 'Maria Papadaki' },
  url: 'https://rooms.example.org/j/1',
};

describe('A calendar file', () => {
  it('a calendar file says what, when and by whom, the same every time', () => {
    const content = toICalendar(scheduled({ scheduleVersion: 4 }), mailed);
    expect(read(content)).toMatchObject([
      { name: 'BEGIN', value: 'VCALENDAR' },
      { name: 'VERSION', value: '2.0' },
      { name: 'PRODID', value: '-//calends//calends//EN' },
      { name: 'METHOD', value: 'REQUEST' },
      { name: 'BEGIN', value: 'VEVENT' },
      { name: 'UID', value: '019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01@calends' },
      { name: 'SEQUENCE', value: '4' },
      { name: 'DTSTAMP', value: '20300506T080000Z' },
      { name: 'DTSTART', value: '20300506T110000Z' },
      { name: 'DTEND', value: '20300506T113000Z' },
      { name: 'SUMMARY', value: 'Consultation' },
      { name: 'LOCATION', value: 'https://rooms.example.org/j/1' },
      {
        name: 'DESCRIPTION',
        value: expect.stringMatching(/^Monday.*2030.*GMT\+3\)\\nhttps:\/\/rooms.example.org\/j\/1$/),
      },
      { name: 'ORGANIZER', parameters: { CN: 'Calends' }, value: 'mailto:no-reply@example.org' },
      {
        name: 'ATTENDEE',
        parameters: { PARTSTAT: 'ACCEPTED', RSVP: 'FALSE', CN: 'Maria Papadaki' },
        value: 'MAILTO:maria@example.org',
      },
      { name: 'URL', value: 'https://rooms.example.org/j/1' },
      { name: 'STATUS', value: 'CONFIRMED' },
      { name: 'END', value: 'VEVENT' },
      { name: 'END', value: 'VCALENDAR' },
    ]);
    expect(toICalendar(scheduled({ scheduleVersion: 4 }), mailed)).toBe(content);
  });

  it('a calendar file names the same event after a change, with a higher sequence and a later stamp', () => {
    const moved = toICalendar(scheduled({ scheduleVersion: 5, updatedAt: now + 1000 }), { domain: 'example.org' });
    expect(valueOf(moved, 'UID')).toBe('019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01@example.org');
    expect(valueOf(moved, 'SEQUENCE')).toBe('5');
    expect(valueOf(moved, 'DTSTAMP')).toBe('20300506T080001Z');
  });

  it.each([
    ['a live one', scheduled(), undefined, undefined, 'CONFIRMED', '1'],
    ['a cancelled one', cancelled(), undefined, undefined, 'CANCELLED', '2'],
    ['an aborted one', aborted(), undefined, undefined, 'CANCELLED', '2'],
    ['a live one that is cancelled by mail', scheduled(), 'CANCEL', 'CANCEL', 'CANCELLED', '2'],
    ['a cancelled one that is cancelled by mail', cancelled(), 'CANCEL', 'CANCEL', 'CANCELLED', '2'],
    ['a cancelled one whose first mail comes late', cancelled(), 'REQUEST', 'REQUEST', 'CONFIRMED', '1'],
  ] as const)(
    'a calendar file of %s has its state, the cancellation one sequence higher',
    (_case, appointment, method, ...found) => {
      const content = toICalendar(appointment, { ...mailed, method });
      expect([valueOf(content, 'METHOD'), valueOf(content, 'STATUS'), valueOf(content, 'SEQUENCE')]).toEqual(found);
    },
  );

  it.each([
    ['en', 'Appointment'],
    ['de-AT', 'Termin'],
    ['el', 'Ραντεβού'],
    ['fr', 'Appointment'],
  ])('a calendar file in %s is called %s when it has no title', (locale, summary) => {
    expect(valueOf(toICalendar(scheduled({ locale, title: ' ' })), 'SUMMARY')).toBe(summary);
  });

  it('a calendar file makes no link of the title, and shows the summary of the host as it is', () => {
    const appointment = scheduled({ title: 'see www.evil.example' });
    expect(valueOf(toICalendar(appointment), 'SUMMARY')).toBe('see www. evil. example');
    expect(valueOf(toICalendar(appointment, { summary: 'clinic.example' }), 'SUMMARY')).toBe('clinic.example');
  });

  it('a calendar file that is published asks nobody for an answer: it has no attendee', () => {
    const content = toICalendar(scheduled(), { ...mailed, method: 'PUBLISH' });
    expect(valueOf(content, 'METHOD')).toBe('PUBLISH');
    expect(valueOf(content, 'ORGANIZER')).toBe('mailto:no-reply@example.org');
    expect(content).not.toMatch(/ATTENDEE|RSVP|PARTSTAT/);
  });

  it.each([
    ['en', 'Monday, 6 May 2030, 14:00–14:30 (Europe/Athens, GMT+3)'],
    ['de-AT', 'Montag, 6. Mai 2030, 14:00–14:30 Uhr (Europe/Athens, GMT+3)'],
    ['fr', 'Monday, 6 May 2030, 14:00–14:30 (Europe/Athens, GMT+3)'],
  ])('a calendar file in %s is described by when it is in its own zone, and where', (locale, when) => {
    const described = (options: ICalendarOptions): string =>
      unescaped(valueOf(toICalendar(scheduled({ locale }), options), 'DESCRIPTION') ?? '').replaceAll(/[^\S\n]/g, ' ');
    expect(described({})).toBe(when);
    expect(described({ url: 'https://rooms.example.org/j/1' })).toBe(`${when}\nhttps://rooms.example.org/j/1`);
    expect(described({ description: 'One.\r\nTwo\u2028.' })).toBe('One.\nTwo .');
  });

  it('a calendar file reads an organizer whose name is quoted', () => {
    const text = toICalendar(scheduled(), { organizer: '"Clinic <Vienna>" <a@clinic.example>' });
    expect(text).toContain('mailto:a@clinic.example');
  });

  it('a calendar file has nothing in its names that readers take for an escape of RFC 6868', () => {
    const name = "Ann^nEve^'s ^^ Clinic";
    const content = toICalendar(scheduled(), {
      ...mailed,
      organizer: `${name} <a@clinic.example>`,
      attendee: { address: 'maria@example.org', name },
    });
    const names = read(content).flatMap(({ parameters: { CN } }) => CN ?? []);
    expect(names).toEqual(["Ann nEve 's Clinic", "Ann nEve 's Clinic"]);
  });

  it.each([
    ['a method without an organizer', { method: 'CANCEL' }, 'a method needs an organizer'],
    ['REQUEST without an attendee', { method: 'REQUEST', organizer: 'a@b.c' }, 'REQUEST needs an attendee'],
    ['an organizer without an address', { organizer: 'Calends' }, 'organizer is not an address'],
    ['an organizer with two', { organizer: 'a@b.c, d@e.f' }, 'organizer is not an address'],
    ['an attendee without an address', { attendee: { address: 'x\r\nEND:VEVENT@b.c' } }, 'attendee is not an address'],
    ['a domain with a line end', { domain: 'example.org\r\nX:Y' }, 'domain is not a domain'],
  ] as const)('a calendar file with %s is refused, nothing of it repeated', (_case, options, message) => {
    expect(() => toICalendar(scheduled(), options)).toThrow(new TypeError(`toICalendar: ${message}`));
  });

  it.each([
    [undefined, 'id, title, locale, state, schedule, scheduleVersion, updatedAt'],
    [{}, 'id, title, locale, state, schedule, scheduleVersion, updatedAt'],
    [{ ...scheduled(), schedule: undefined, locale: undefined }, 'locale, schedule'],
  ])('a calendar file says what is missing of what is no appointment: %#', (given, missing) => {
    // @ts-expect-error -- hosts in plain JavaScript
    expect(() => toICalendar(given)).toThrow(new TypeError(`toICalendar: the appointment has no ${missing}`));
  });

  it('a calendar file has no link but an http or https address', () => {
    expect(() => toICalendar(scheduled(), { url: 'javascript:alert(1)' })).toThrow('not an http or https address');
    const content = toICalendar(scheduled(), { url: 'https://example.org/a,b;c?d=e,f' });
    expect(valueOf(content, 'URL')).toBe('https://example.org/a%2Cb%3Bc?d=e%2Cf');
  });

  const words = fc.constantFrom(
    '\r\nEND:VEVENT\r\nBEGIN:VALARM',
    '\nATTENDEE:mailto:other@example.org',
    '\r',
    '\\n',
    '\\',
    '";X="',
    ':mailto:x',
    ',;:',
    '\u2028\u0085\u000B',
    '\uD83D',
    'ß€😀'.repeat(30),
  );
  const text = fc
    .array(fc.oneof(words, fc.string({ unit: 'binary' })), { maxLength: 4 })
    .map((parts) => parts.join(''));

  it('a calendar file gets no line, property or parameter from what people write', () => {
    fc.assert(
      fc.property(text, text, text, (title, name, id) => {
        const content = toICalendar(scheduled({ title, id }), {
          ...mailed,
          organizer: `${name.replaceAll(/[<>]/g, '')} <no-reply@example.org>`,
          attendee: { address: 'maria@example.org', name },
        });
        const lines = read(content);
        const known = read(toICalendar(scheduled(), mailed));
        expect(lines.map(({ name: property }) => property)).toEqual(known.map(({ name: property }) => property));
        expect(lines.map(({ parameters }) => Object.keys(parameters))).toEqual(
          known.map(({ parameters }) => Object.keys(parameters)),
        );
        const summary = unescaped(lines.find((line) => line.name === 'SUMMARY')!.value);
        expect(summary).toBe(withoutLinks(oneLine(title)) || 'Appointment');
        expect(lines.find((line) => line.name === 'ATTENDEE')!.value).toBe('MAILTO:maria@example.org');
      }),
      { numRuns: 300 },
    );
  });

  it('a calendar of several appointments is the same text as the generator writes, whatever people write', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (written) => {
        const appointments = written.map(([title, id], index) =>
          (index % 2 === 0 ? scheduled : cancelled)({ title, id }),
        );
        const calendar = new ICalCalendar({ prodId: { company: 'calends', product: 'calends' } });
        calendar.method(ICalCalendarMethod.PUBLISH);
        for (const appointment of appointments) addEvent(calendar, appointment);
        const { head, end } = calendarFrame;
        expect(head + calendarEvents(appointments) + end).toBe(`${calendar.toString()}\r\n`);
      }),
      { numRuns: 300 },
    );
  });
});

/** What is to be left of a title: its characters, without what would end a line or turn its direction. */
function oneLine(title: string): string {
  const kept = Array.from(title, (character) =>
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]/u.test(character) ? ' ' : character,
  );
  return kept.join('').replaceAll(/ +/g, ' ').trim();
}
