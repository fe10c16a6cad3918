import { createScheduling } from '@calends/core';
import { memoryStore } from '@calends/store-memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInLanguages, customerPages, type CustomerPagesOptions, pageTextKeys } from '../src/index.js';
import { enter, type PagesHost, startHost } from './pages-host.js';
import { fieldsOf, heading, type Reply } from './visitor.js';

const languageOf = ({ text }: Reply): string => /<html lang="([^"]*)"/.exec(text)?.[1] ?? '';

const germanTime = { day: 'Mittwoch, 8. Mai 2030', clock: '10:30 – 11:15' };
const greekTime = { day: 'Τετάρτη 8 Μαΐου 2030', clock: '10:30 π.μ. – 11:15 π.μ.' };
const britishTime = { day: 'Wednesday, 8 May 2030', clock: '10:30 – 11:15' };
const americanTime = { day: 'Wednesday, May 8, 2030', clock: '10:30 AM – 11:15 AM' };

describe('Languages of the customer pages', () => {
  let host: PagesHost;
  beforeAll(async () => void (host = await startHost()));
  afterAll(() => host.close());

  it.each(Object.entries(builtInLanguages))('%s has every text, none empty, and none left in English', (tag, texts) => {
    expect(Object.keys(texts)).toEqual(pageTextKeys);
    expect(Object.values(texts).every((text) => text.trim() !== '')).toBe(true);
    const english = pageTextKeys.filter((key) => texts[key] === builtInLanguages['en']?.[key]);
    expect(english.filter((key) => !['state', 'inUtc'].includes(key))).toHaveLength(
      tag === 'en' ? pageTextKeys.length - 2 : 0,
    );
  });

  it.each([
    ['de', 'de', germanTime, 'Bestätigt', '45 Minuten'],
    ['de-AT', 'de', germanTime, 'Bestätigt', '45 Minuten'],
    ['el', 'el', greekTime, 'Επιβεβαιωμένο', '45 λεπτά'],
    ['el-GR', 'el', greekTime, 'Επιβεβαιωμένο', '45 λεπτά'],
    ['en', 'en', britishTime, 'Confirmed', '45 minutes'],
    ['en-GB', 'en', britishTime, 'Confirmed', '45 minutes'],
    ['en-US', 'en', americanTime, 'Confirmed', '45 minutes'],
    ['fr', 'en', britishTime, 'Confirmed', '45 minutes'],
    ['tlh', 'en', britishTime, 'Confirmed', '45 minutes'],
  ])('an appointment in %s is shown in %s', async (locale, shown, { day, clock }, state, duration) => {
    const visitor = await host.arrived(await host.book({ locale }), 'zh');
    const reply = await visitor.get('/manage/appointment');
    expect(languageOf(reply)).toBe(shown);
    const text = reply.text.replaceAll(/[\u00a0\u202f]/g, ' ');
    for (const word of [`>${day}<`, `>${clock}<`, `>${state}<`, `>${duration}<`]) expect(text).toContain(word);
  });

  it.each([
    ['de-CH,de;q=0.9,en;q=0.8', 'de', 'Ihr Termin'],
    ['el', 'el', 'Το ραντεβού σας'],
    ['fr,el;q=0.5', 'el', 'Το ραντεβού σας'],
    ['fr', 'en', 'Your appointment'],
    ['*', 'en', 'Your appointment'],
    ['constructor,__proto__', 'en', 'Your appointment'],
    [';;;,,,q=', 'en', 'Your appointment'],
  ])('the entry speaks to a browser that wishes %s in %s', async (wish, shown, title) => {
    const reply = await host.visitor(wish).get('/manage/');
    expect([languageOf(reply), heading(reply)]).toEqual([shown, title]);
  });

  it('errors of an appointment are in its language, the others in the language of the browser', async () => {
    const visitor = await host.arrived(await host.book({ locale: 'el' }), 'de');
    const { appointment = '' } = fieldsOf(await visitor.get('/manage/appointment/cancel'));
    const refused = await visitor.post('/manage/appointment/reschedule', { appointment });
    expect(refused.text).toContain('Γράψτε ημερομηνία και ώρα.');
    expect(heading(await enter(host.visitor('de'), 'x'))).toBe('Dieser Link gilt nicht mehr');
    expect(heading(await host.visitor('el').get('/manage/nowhere'))).toBe('Εδώ δεν υπάρχει τίποτε');
  });
});

describe('Options of the customer pages', () => {
  const withHost = async (options: CustomerPagesOptions, use: (host: PagesHost) => Promise<void>): Promise<void> => {
    const host = await startHost({ options });
    await use(host);
    await host.close();
  };

  it('the name of the host is over every page, and in its title', async () => {
    await withHost({ name: 'Clinic <&> Sons' }, async (host) => {
      const { text } = await host.visitor().get('/manage/');
      expect(text).toMatch(/<header>\s*<p>Clinic &lt;&amp;&gt; Sons<\/p>\s*<\/header>/);
      expect(text).toContain('<title>Your appointment – Clinic &lt;&amp;&gt; Sons</title>');
    });
  });

  it('locale is for browsers whose wish is not there', async () => {
    await withHost({ locale: 'de-AT' }, async (host) => {
      const spoken = async (wish?: string): Promise<string> => languageOf(await host.visitor(wish).get('/manage/'));
      expect([await spoken('fr'), await spoken('en'), await spoken()]).toEqual(['de', 'en', 'de']);
    });
  });

  it('texts of the host replace built-in ones and add languages; what they leave out stays, else is English', async () => {
    const texts = {
      en: { entryTitle: 'Your <visit>' },
      'de-AT': { entryTitle: 'Servus' },
      fr: { entryTitle: 'Votre rendez-vous', stateScheduled: 'Confirmé' },
    };
    await withHost({ texts }, async (host) => {
      const entry = (wish: string): Promise<Reply> => host.visitor(wish).get('/manage/');
      expect((await entry('en')).text).toContain('<h1>Your &lt;visit&gt;</h1>');
      expect((await entry('de')).text).toContain('<h1>Ihr Termin</h1>');
      const austrian = await entry('de-AT');
      expect(austrian.text).toContain('<h1>Servus</h1>');
      expect(austrian.text).toContain('Meinen Termin öffnen');
      const french = await entry('fr');
      expect(french.text).toContain('<h1>Votre rendez-vous</h1>');
      expect(french.text).toContain('Open my appointment');
      const shown = await (await host.arrived(await host.book({ locale: 'fr-CA' }))).get('/manage/appointment');
      expect(languageOf(shown)).toBe('fr');
      expect(shown.text).toMatch(/>mercredi 8 mai 2030<[^]*>Confirmé</);
    });
  });

  it.each([
    ['ar-EG', 'ar', 'rtl'],
    ['he', 'he', 'rtl'],
    ['fr', 'fr', 'ltr'],
    ['de', 'de', 'ltr'],
  ])('a page for a browser that wishes %s is in %s and read %s', async (wish, tag, direction) => {
    const texts = { ar: { entryTitle: 'موعدك' }, he: { entryTitle: 'התור שלך' }, fr: {} };
    await withHost({ texts }, async (host) => {
      const { text } = await host.visitor(wish).get('/manage/');
      expect(text).toContain(`<html lang="${tag}" dir="${direction}">`);
    });
  });

  const library = createScheduling({ store: memoryStore(), secret: 'a secret of at least thirty-two bytes' });

  it.each([[undefined], [{}], ['scheduling'], [{ publicUrl: 'https://clinic.example/manage' }]])(
    'The customer pages refuse at start to serve what is no library: %j',
    (scheduling) => {
      expect(() => customerPages(scheduling as typeof library)).toThrow(
        new TypeError('scheduling: must be what createScheduling makes.'),
      );
    },
  );

  it('The customer pages refuse at start to book with a library that has availability off', () => {
    const store = memoryStore();
    const on = createScheduling({ store, secret: 'a secret of at least thirty-two bytes', availability: {} });
    const booking = { applicationId: 'app-1' };
    expect(() => customerPages(on, { booking })).not.toThrow();
    expect(() => customerPages(library, { booking })).toThrow(
      new TypeError(
        'customerPages: booking: the library has availability off; `createScheduling({ availability: {} })` turns it on',
      ),
    );
  });

  it.each<readonly [string, object, RegExp]>([
    ['null', null as never, /^customerPages: options: must be an object\.$/],
    ['a text', '/manage' as never, /^customerPages: options: must be an object\.$/],
    ['an unknown option', { nmae: 'x' }, /^customerPages: unknown option nmae; did you mean name\?$/],
    ['a name that is no string', { name: 1 }, /^customerPages: name: must be a string$/],
    ['a locale that is none', { locale: 'not a locale' }, /^customerPages: locale: must be a language tag$/],
    ['a locale that is no text', { locale: 5 }, /^customerPages: locale: must be a language tag$/],
    ['an empty locale', { locale: '' }, /^customerPages: locale: must be a language tag$/],
    ['secureCookie that is no boolean', { secureCookie: 'yes' }, /^customerPages: secureCookie: must be a boolean$/],
    ['onFault that is no function', { onFault: {} }, /^customerPages: onFault: must be a function$/],
    ['a promise', Promise.resolve({}), /^customerPages: options: must be an object, and no promise or map of it\.$/],
    ['a map', new Map(), /^customerPages: options: must be an object, and no promise or map of it\.$/],
    ['a promise of texts', { texts: Promise.resolve({}) }, /^customerPages: texts: must be an object of languages$/],
    ['a map of texts', { texts: new Map([['de', {}]]) }, /^customerPages: texts: must be an object of languages$/],
    ['a list of texts', { texts: [] }, /^customerPages: texts: must be an object of languages$/],
    ['a promise of a language', { texts: { de: Promise.resolve({}) } }, /^customerPages: texts: de must be an object/],
    ['texts that are no object', { texts: 'x' }, /^customerPages: texts: must be an object of languages$/],
    ['texts of a language that are no object', { texts: { de: 'x' } }, /^customerPages: texts: de must be an object/],
    ['an unknown text', { texts: { de: { hello: 'x' } } }, /^customerPages: texts: de has the unknown text hello$/],
    [
      'a text that is none',
      { texts: { de: { entryTitle: 1 } } },
      /^customerPages: texts: de\.entryTitle must be a string$/,
    ],
    ['a language that is none', { texts: { 'no tag!': {} } }, /^customerPages: texts: no tag! must be a language tag/],
    [
      'a language in another spelling',
      { texts: { 'de-at': {} } },
      /^customerPages: texts: de-at must be a language tag/,
    ],
  ])('Options of the customer pages refuses %s at once', (_name, options, message) => {
    expect(() => customerPages(library, options)).toThrow(message);
  });

  it('Options of the customer pages takes undefined for every option', () => {
    const options = {
      name: undefined,
      locale: undefined,
      texts: undefined,
      secureCookie: undefined,
      onFault: undefined,
    };
    expect(() => customerPages(library, options)).not.toThrow();
  });
});
