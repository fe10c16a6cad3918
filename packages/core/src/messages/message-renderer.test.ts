import { describe, expect, it } from 'vitest';
import { days, hours, minutes, notificationTypes } from '@calends/model';
import { cancelled, customer, now, scheduled } from '../../test/sample-appointments.js';
import { sampleCustomer, sampleLinks, samplePage } from '../../test/sample-messages.js';
import { customerMessageTypes } from '../domain/notifications/notified-events.js';
import { argumentKinds, templateKeys } from './template-keys.js';
import { messageRenderer, type RenderInput } from './message-renderer.js';

const renderer = messageRenderer({});
const locales = ['en', 'de', 'el'] as const;
const nameless = { ...sampleCustomer, firstName: undefined, lastName: undefined };

const full = (type: RenderInput['type'], locale = 'en'): RenderInput => ({
  type,
  appointment: type === 'CANCELLED' ? cancelled({ locale }) : scheduled({ locale }),
  customer: sampleCustomer,
  links: sampleLinks,
  offset: hours(24),
  organizerAddress: 'Calends <no-reply@example.org>',
});

const bare = (type: RenderInput['type'], locale = 'en'): RenderInput => ({
  type,
  appointment: scheduled({ locale, title: '' }),
  customer: nameless,
  links: {},
});

const everyCase = customerMessageTypes.flatMap((type) => locales.map((locale) => [type, locale] as const));

describe('A message to a customer', () => {
  it.each(everyCase)('%s in %s is whole with everything that may be absent', (type, locale) => {
    const { subject, text, html, locale: language } = renderer.email(full(type, locale));
    const sms = renderer.sms(full(type, locale));
    expect([language, sms.locale]).toEqual([locale, locale]);
    expect(subject).toMatch(/\S/);
    expect(text).toContain('Maria Papadaki');
    expect(text).toContain('Consultation');
    expect(text).toContain('(Europe/Athens, GMT+3)');
    expect(html).toContain(`<html lang="${locale}" dir="ltr">`);
    for (const part of [subject, text, html, sms.text]) expect(part).not.toMatch(/undefined|null|[{}]|\[object/);
  });

  it.each(everyCase)('%s in %s is whole without anything that may be absent', (type, locale) => {
    const { subject, text, html, calendar } = renderer.email(bare(type, locale));
    expect(calendar).toBeUndefined();
    expect(text).not.toMatch(/https?:|undefined|null|[{}]|\n\n\n| ,|:\s*$/m);
    expect(html).not.toContain('<a ');
    expect(text.split('\n\n').length).toBe(4);
    expect(subject + renderer.sms(bare(type, locale)).text).not.toMatch(/undefined|null|[{}]|https?:/);
  });

  it('a message to a customer uses every text that there is', () => {
    const marked = templateKeys.map((key) => [
      key,
      `[${key}] ${[...argumentKinds(key).keys()].map((name) => `{${name}}`).join(' ')}`,
    ]);
    const { email, sms, otp } = messageRenderer({ en: Object.fromEntries(marked) });
    const schedules = [
      { start: now, end: now + hours(1), timezone: 'UTC' },
      { start: now, end: now + days(1), timezone: 'UTC' },
      { start: Date.UTC(2027, 2, 28), end: Date.UTC(2027, 2, 28, 2), timezone: 'Europe/Athens' },
    ];
    const inputs = customerMessageTypes.flatMap((type) => [
      ...schedules.map((schedule): RenderInput => ({
        ...full(type),
        appointment: { ...full(type).appointment, schedule },
      })),
      { ...bare(type), links: samplePage, organizerAddress: 'no-reply@example.org' },
    ]);
    const everything = inputs.map((input) => {
      const { subject, text, html, calendar } = email(input);
      return [subject, text, html, calendar?.content.replaceAll('\r\n ', ''), sms(input).text].join('\n');
    });
    everything.push(Object.values(otp({ code: '123456', locale: 'en' })).join('\n'));
    expect(templateKeys.filter((key) => !everything.some((text) => text.includes(`[${key}]`)))).toEqual([]);
  });

  it.each(notificationTypes.filter((type) => !customerMessageTypes.some((told) => told === type)))(
    'a message to a customer of the type %s is refused: customers are told nothing of it',
    (type) => {
      expect(() => renderer.email(full(type))).toThrow(`Customers are sent no message of the type ${type}.`);
      expect(() => renderer.sms(full(type))).toThrow(`Customers are sent no message of the type ${type}.`);
    },
  );

  it('a message to a customer is in the language of the appointment, its numbers as the region has them', () => {
    expect(renderer.email(full('CREATE', 'en-US')).text).toContain('May 6, 2030');
    const austrian = { ...full('CREATE'), appointment: scheduled({ locale: 'de-AT', schedule: inJanuary }) };
    expect(renderer.email(austrian)).toMatchObject({ locale: 'de', text: expect.stringContaining('Jänner') });
  });

  it('a message to a customer is in one language, dates and all, where the one of the appointment is not there', () => {
    const { text, locale } = renderer.email(full('CREATE', 'fr'));
    expect(locale).toBe('en');
    expect(text).toContain('May 2030');
  });

  it('a message to a customer is in a language that only the overrides have, read from the right where it is', () => {
    const arabic = messageRenderer({ ar: { 'email.CREATE.text': 'تم تأكيد موعدك.' } });
    const { html, locale } = arabic.email(full('CREATE', 'ar-EG'));
    expect(locale).toBe('ar');
    expect(html).toContain('<html lang="ar" dir="rtl">');
  });

  it('a message to a customer leaves out a text that is overridden by nothing', () => {
    const { text } = messageRenderer({ en: { closing: '', 'email.when': '' } }).email(full('CREATE'));
    expect(text).not.toMatch(/regards|When/);
  });

  it('a message to a customer has the paragraphs of its text', () => {
    const { text, html } = messageRenderer({ en: { 'email.CREATE.text': 'One.\n\nTwo,\nthree.' } }).email(
      full('CREATE'),
    );
    expect(text).toContain('\n\nOne.\n\nTwo,\nthree.\n\n');
    expect(html).toContain('<p>One.</p>\n<p>Two,<br>\nthree.</p>');
  });

  it.each([
    ['REMINDER', hours(24), 'in 24 hours'],
    ['FOLLOW_UP', minutes(30), '30 minutes ago'],
  ] as const)('a message to a customer may say of a %s how far the appointment is', (type, offset, words) => {
    const { email } = messageRenderer({ en: { closing: '{hasOffset, select, yes {({offset})} other {-}}' } });
    expect(email({ ...full(type), offset }).text).toContain(`(${words})`);
    expect(email({ ...full(type), offset: undefined }).text).toMatch(/-$/);
  });

  it('a message to a customer greets by the name that there is', () => {
    const greeting = (firstName?: string, lastName?: string): string | undefined =>
      renderer.email({ ...full('CREATE'), customer: { ...sampleCustomer, firstName, lastName } }).text.split('\n')[0];
    expect(greeting('Maria', 'Papadaki')).toBe('Dear Maria Papadaki,');
    expect(greeting('Maria')).toBe('Dear Maria,');
    expect(greeting(undefined, 'J. Papadaki')).toBe('Dear J. Papadaki,');
    expect(greeting(' ', '')).toBe('Hello,');
    expect(greeting()).toBe('Hello,');
    expect(greeting('Dr. Hans', 'Müller')).toBe('Dear Dr. Hans Müller,');
    expect(greeting('Dr.Hans', 'Müller')).toBe('Dear Dr. Hans Müller,');
    expect(greeting('Anna', 'Meier/Schulz')).toBe('Dear Anna Meier/Schulz,');
  });

  it.each(['https://evil.example', 'www.evil.example', 'x@evil.example', 'x＠evil'])(
    'a message to a customer greets nobody by the name %s, which is an address',
    (lastName) => {
      const { text } = renderer.email({ ...full('CREATE'), customer: { ...sampleCustomer, lastName } });
      expect(text).toMatch(/^Dear Maria,\n/);
    },
  );

  it('a message to a customer has nothing of a name that mail programs make a link of', () => {
    const customer = { ...sampleCustomer, firstName: 'evil.example/x', lastName: '<b>' };
    const { text, html } = renderer.email({ ...full('CREATE'), customer });
    expect(text).toMatch(/^Dear evil\. example\/x <b>,\n/);
    expect(html).toContain('<p>Dear evil. example/x &lt;b&gt;,</p>');
  });

  it('a message to a customer tells why it was cancelled only where it was, in the mail', () => {
    expect(renderer.email(full('CANCELLED')).text).toContain('Reason: first reason');
    expect(renderer.sms(full('CANCELLED')).text).not.toContain('first reason');
    expect(renderer.email({ ...full('CANCELLED'), appointment: scheduled() }).text).not.toContain('Reason');
  });

  it.each([
    ['CREATE', true, true],
    ['RESCHEDULE', true, true],
    ['ROOM', true, false],
    ['REMINDER', true, true],
    ['CANCELLED', false, false],
    ['FOLLOW_UP', false, false],
  ] as const)('a message to a customer of the type %s has the links that are of use', (type, inMail, manageInSms) => {
    const { text, html } = renderer.email(full(type));
    const sms = renderer.sms(full(type)).text;
    for (const link of [sampleLinks.join, sampleLinks.manage]) {
      expect([link, text.includes(link)]).toEqual([link, inMail]);
      expect([link, html.includes(`<a href="${link}">`)]).toEqual([link, inMail]);
    }
    expect(sms.includes(sampleLinks.join)).toBe(inMail);
    expect(sms.includes(sampleLinks.manage)).toBe(manageInSms);
  });
});

describe('The link to the page of the appointment (D61)', () => {
  it.each([
    ['CREATE', 1],
    ['RESCHEDULE', 1],
    ['ROOM', 1],
    ['REMINDER', 1],
    ['CANCELLED', 0],
    ['FOLLOW_UP', 0],
  ] as const)(
    'the link to the page of the appointment is in a message of the type %s %d times, and nothing else is',
    (type, times) => {
      const input = { ...full(type), links: samplePage };
      const { text, html } = renderer.email(input);
      const linksIn = (shown: string): readonly string[] => shown.match(/https?:[^\s"<]+/g) ?? [];
      for (const shown of [text, html, renderer.sms(input).text]) {
        expect(linksIn(shown)).toEqual(Array.from({ length: times }, () => samplePage.page));
      }
    },
  );

  it('the link to the page of the appointment says what it is for', () => {
    const { text, html } = renderer.email({ ...full('REMINDER'), links: samplePage });
    expect(text).toContain(`Join, move or cancel the appointment here: ${samplePage.page}`);
    expect(html).toContain(`<a href="${samplePage.page}">Join, move or cancel the appointment</a>`);
  });
});

describe('The calendar file of a mail', () => {
  it.each([
    ['CREATE', 'PUBLISH'],
    ['RESCHEDULE', 'PUBLISH'],
    ['CANCELLED', 'CANCEL'],
    ['ROOM', undefined],
    ['REMINDER', undefined],
    ['FOLLOW_UP', undefined],
  ] as const)('the calendar file of a mail of the type %s has the method %s', (type, method) => {
    const { calendar } = renderer.email(full(type));
    expect(calendar?.method).toBe(method);
    if (method !== undefined) expect(calendar?.content).toContain(`METHOD:${method}\r\n`);
  });

  it('the calendar file of a mail goes by the type, whatever state the appointment was last in', () => {
    const removed = renderer.email({ ...full('CANCELLED'), appointment: scheduled() });
    expect(removed.calendar?.content).toMatch(/METHOD:CANCEL\r\n[^]*SEQUENCE:2\r\n[^]*STATUS:CANCELLED\r\n/);
    const late = renderer.email({ ...full('CREATE'), appointment: cancelled() });
    expect(late.calendar?.content).toMatch(/METHOD:PUBLISH\r\n[^]*SEQUENCE:1\r\n[^]*STATUS:CONFIRMED\r\n/);
  });

  it('the calendar file of a mail is from the application, asks nobody for an answer, and has the word for an appointment', () => {
    const untitled = { ...full('CREATE', 'de'), appointment: scheduled({ locale: 'de', title: '' }) };
    const content = renderer.email(untitled).calendar?.content.replaceAll('\r\n ', '');
    expect(content).toContain('ORGANIZER;CN="Calends":mailto:no-reply@example.org\r\n');
    expect(content).toContain('SUMMARY:Termin\r\n');
    expect(content).not.toContain(customer.id);
    for (const type of ['CREATE', 'RESCHEDULE', 'CANCELLED'] as const) {
      expect(renderer.email(full(type)).calendar?.content).not.toMatch(/ATTENDEE|RSVP|PARTSTAT|REQUEST/);
    }
  });

  it('the calendar file of a mail describes the appointment, with its page as its link', () => {
    const entryOf = (type: RenderInput['type'], links: RenderInput['links']): string =>
      renderer.email({ ...full(type), links }).calendar?.content.replaceAll('\r\n ', '') ?? '';
    const withPage = entryOf('CREATE', samplePage);
    expect(withPage).toContain(`URL;VALUE=URI:${samplePage.page}\r\n`);
    expect(withPage).toMatch(
      /DESCRIPTION:When: .*GMT\+3\)\\nJoin\\, move or cancel the appointment here: https:\S+8f3k2m1q\r\n/,
    );
    expect(entryOf('CREATE', sampleLinks)).toContain(`URL;VALUE=URI:${sampleLinks.join}\r\n`);
    expect(entryOf('CREATE', {})).toMatch(/DESCRIPTION:When: [^\\]*\\, .*GMT\+3\)\r\n/);
    expect(entryOf('CREATE', {})).not.toContain('URL');
    expect(entryOf('CANCELLED', samplePage)).toMatch(/DESCRIPTION:When: .*\\nReason: first reason\r\n/);
    expect(entryOf('CANCELLED', samplePage)).not.toContain('https:');
  });

  it('the calendar file of a mail is left out without an address of either', () => {
    expect(renderer.email({ ...full('CREATE'), organizerAddress: undefined }).calendar).toBeUndefined();
    const unreachable = { ...sampleCustomer, primaryEmail: undefined };
    expect(renderer.email({ ...full('CREATE'), customer: unreachable }).calendar).toBeUndefined();
  });
});

describe('A text message', () => {
  const gsm = /^[@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;

  it.each(customerMessageTypes.flatMap((type) => ['en', 'en-US', 'de'].map((locale) => [type, locale] as const)))(
    '%s in %s is within GSM 03.38: one segment, two with links',
    (type, locale) => {
      const { text } = renderer.sms(full(type, locale));
      const { text: unlinked } = renderer.sms({ ...full(type, locale), links: {} });
      expect(text).toMatch(gsm);
      expect(text.length).toBeLessThanOrEqual(306);
      expect(unlinked.length).toBeLessThanOrEqual(160);
    },
  );

  it.each(customerMessageTypes)('%s in Greek is two segments of UCS-2 without links', (type) => {
    expect(renderer.sms({ ...full(type, 'el'), links: {} }).text.length).toBeLessThanOrEqual(134);
  });

  it('a text message has plain marks for what would double its price', () => {
    const { sms } = messageRenderer({ en: { 'sms.CREATE.text': '{title}' } });
    const appointment = scheduled({ title: '“It’s”…\u00A0a–b' });
    expect(sms({ ...bare('CREATE'), appointment }).text).toBe('"It\'s"... a-b');
  });
});

const inJanuary = { start: Date.UTC(2027, 0, 5, 8), end: Date.UTC(2027, 0, 5, 9), timezone: 'Europe/Vienna' };
