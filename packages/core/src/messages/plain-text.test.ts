import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameInGreeting, wholeName, withoutLinks } from './plain-text.js';

/** What some program for mails or text messages makes a link of: schemes, hosts, mailboxes, addresses, shares. */
const clickable =
  /[\p{L}\p{N}]:[/\p{L}]|\b(?:www|ftp)\.\S|[^\s.][.\u3002\uFF0E]\p{L}{2}|\S[@\uFF20]\S|(?:\d+\.){3}\d|\\\\\S/iu;

describe('A text without links', () => {
  it.each([
    ['https://evil.example/x?y=z', 'https: //evil. example/x?y=z'],
    ['HTTP://EVIL.EXAMPLE', 'HTTP: //EVIL. EXAMPLE'],
    ['https://localhost/x', 'https: //localhost/x'],
    ['http:/evil', 'http: /evil'],
    ['hxxp:\\\\evil', 'hxxp: \\ \\evil'],
    ['\\\\evil\\share', '\\ \\evil\\share'],
    ['h323:evil', 'h323: evil'],
    ['mailto:x', 'mailto: x'],
    ['tel:+301234', 'tel: +301234'],
    ['javascript:alert(1)', 'javascript: alert(1)'],
    ['www.evil.example', 'www. evil. example'],
    ['Www.1', 'Www. 1'],
    ['ftp.x', 'ftp. x'],
    ['win at evil.example/prize now', 'win at evil. example/prize now'],
    ['(evil.example)', '(evil. example)'],
    ['t.co/x', 't. co/x'],
    ['a.b.co', 'a.b. co'],
    ['evil.example:8080/x', 'evil. example: 8080/x'],
    ['evil-.example', 'evil-. example'],
    ['evil.xn--p1ai', 'evil. xn--p1ai'],
    ['пример.рф', 'пример. рф'],
    ['उदाहरण.भारत', 'उदाहरण. भारत'],
    ['evil。com', 'evil。 com'],
    ['ｅｖｉｌ．ｃｏｍ', 'ｅｖｉｌ． ｃｏｍ'],
    ['evil\u2024com', 'evil\u2024 com'],
    ['evil.\u00ADc\u200Bom', 'evil. \u00ADc\u200Bom'],
    ['evil.\uFE0Fcom', 'evil. \uFE0Fcom'],
    ['❤.ws', '❤. ws'],
    ['x@evil.example', 'x@ evil. example'],
    ['x@localhost', 'x@ localhost'],
    ['x＠localhost', 'x＠ localhost'],
    ['192.0.2.1/x', '192. 0.2.1/x'],
    ['1.2.3.4.5', '1. 2. 3.4.5'],
  ])('the text %j is shown as %j', (text, shown) => {
    expect(withoutLinks(text)).toBe(shown);
    expect(shown).not.toMatch(clickable);
  });

  it.each([
    'Consultation',
    'Dr. Müller, 3.5 h',
    'Termin am 10.05.2027, 10:30-11:00 Uhr',
    'z.B. 2. OG, Raum 3.14',
    'e.g. U.S.A.',
    'Q&A @ the office: bring 1/2',
    '.NET and C#, 50 % off!',
    'Hello... world :-) ;)',
    'Ραντεβού με την κ. Παπαδάκη',
    '予約です。',
    'v2.0.1 / and/or',
    '$& $1 <b>',
    '',
  ])('the text %j stays as it is', (text) => {
    expect(withoutLinks(text)).toBe(text);
  });

  it.each([
    ['node.js workshop', 'node. js workshop'],
    ['Dr.Müller', 'Dr. Müller'],
    ['Re:Follow-up', 'Re: Follow-up'],
    ['report.pdf', 'report. pdf'],
  ])('the text %j can be read: %j', (text, shown) => {
    expect(withoutLinks(text)).toBe(shown);
  });

  it('a text without links has nothing clickable whatever it is made of, and is the same when it is gone over again', () => {
    const part = fc.constantFrom(
      ...['https', 'www', 'evil', 'example', 'co', 'x', '1', '192', 'ß', 'рф', ':', '//', '/', '\\', '.', '@', ' '],
      ...['\u3002', '\uFF0E', '\uFF20', '-', '(', '...'],
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const shown = withoutLinks(given);
        expect(shown).not.toMatch(clickable);
        expect(withoutLinks(shown)).toBe(shown);
        expect(shown.replaceAll(' ', '')).toBe(given.replaceAll(' ', ''));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['.', ':', '@', '1.', 'www.', 'a.\u200B', ':\u200B', '\\'])(
    'a text without links is soon made of many %j',
    (piece) => {
      const started = process.cpuUsage();
      withoutLinks(piece.repeat(100_000 / piece.length));
      const { user } = process.cpuUsage(started);
      expect(user).toBeLessThan(200_000);
    },
  );
});

describe('A name in a greeting', () => {
  it.each([
    ['J. Papadaki', 'J. Papadaki'],
    ['M.Müller', 'M. Müller'],
    ['Dr.Hans', 'Dr. Hans'],
    ['Meier/Schulz', 'Meier/Schulz'],
    ['Αντωνίου-Παπαδάκη', 'Αντωνίου-Παπαδάκη'],
    ["O'Brien", "O'Brien"],
    ['Müller (geb. Schmidt)', 'Müller (geb. Schmidt)'],
    ['St. John: the younger', 'St. John: the younger'],
    ['evil.example', 'evil. example'],
    ['t.co/x', 't. co/x'],
    ['https://evil', ''],
    ['WWW.evil.example', ''],
    ['www。evil', ''],
    ['anna@example.org', ''],
    ['anna＠example', ''],
  ])('the name %j is shown as %j', (name, shown) => {
    expect(nameInGreeting(name)).toBe(shown);
  });

  it.each([
    [{ firstName: 'Dr.Hans', lastName: 'Müller' }, 'Dr. Hans Müller'],
    [{ firstName: 'Anna', lastName: 'Meier/Schulz' }, 'Anna Meier/Schulz'],
    [{ firstName: 'Dr. Hans Müller' }, 'Dr. Hans Müller'],
    [{ firstName: 'anna@example.org', lastName: 'Meier' }, 'Meier'],
    [{ firstName: ' ', lastName: '' }, ''],
    [{}, ''],
  ])('a name in a greeting of two parts %j is whole: %j', (name, shown) => {
    expect(wholeName(name)).toBe(shown);
  });

  it('a name in a greeting becomes no link, whatever its parts are', () => {
    const part = fc.constantFrom('http:', '//', 'evil', '.', 'www', 'example', '@', '/', ':', ' ', 'Dr', '\\');
    const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(name, name, (firstName, lastName) => {
        expect(wholeName({ firstName, lastName })).not.toMatch(clickable);
      }),
      { numRuns: 2000 },
    );
  });
});
