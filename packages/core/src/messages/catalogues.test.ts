import { describe, expect, it } from 'vitest';
import { sampleCustomer } from '../../test/sample-messages.js';
import { scheduled } from '../../test/sample-appointments.js';
import { builtInCatalogues, catalogues, localeChain } from './catalogues.js';
import { messageRenderer } from './message-renderer.js';
import { templateKeys } from './template-keys.js';

const languages = Object.entries(builtInCatalogues);
const argumentsOf = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name!).sort();

describe('The built-in texts', () => {
  it('the built-in texts are whole in English and two more languages', () => {
    expect(languages.map(([tag]) => tag)).toEqual(['en', 'de', 'el']);
  });

  it.each(languages)('%s has every key and no other, and no empty text', (_tag, texts) => {
    expect(Object.keys(texts).sort()).toEqual([...templateKeys].sort());
    for (const text of Object.values(texts)) expect(text.trim()).not.toBe('');
  });

  it.each(languages)('%s says as much as English: each text has the same arguments', (_tag, texts) => {
    for (const key of templateKeys) {
      expect([key, argumentsOf(texts[key])]).toEqual([key, argumentsOf(builtInCatalogues.en[key])]);
    }
  });
});

describe('The chain of a locale', () => {
  it.each([
    ['pt-BR', ['pt-BR', 'pt', 'en']],
    ['pt', ['pt', 'en']],
    ['en', ['en']],
    ['en-GB', ['en-GB', 'en']],
    ['zh-Hant-TW', ['zh-Hant-TW', 'zh-Hant', 'zh', 'en']],
    ['de-u-nu-latn', ['de-u-nu-latn', 'de-u-nu', 'de', 'en']],
    ['de-x-a', ['de', 'en']],
  ])('%s is cut short subtag by subtag and ends in English', (locale, chain) => {
    expect(localeChain(locale)).toEqual(chain);
  });
});

describe('A text', () => {
  const closing = { pt: { closing: 'Atenciosamente' }, 'pt-BR': { greeting: 'Oi {name},' }, de: { closing: 'Gruß' } };

  it.each([
    ['pt-BR', 'Oi X,', 'Atenciosamente', 'pt-BR'],
    ['pt-PT', 'Dear X,', 'Atenciosamente', 'en'],
    ['pt', 'Dear X,', 'Atenciosamente', 'en'],
    ['de', 'Guten Tag X,', 'Gruß', 'de'],
    ['de-AT', 'Guten Tag X,', 'Gruß', 'de'],
    ['el', 'Γεια σας X,', 'Με εκτίμηση', 'el'],
    ['fr', 'Dear X,', 'Kind regards', 'en'],
    ['en-US', 'Dear X,', 'Kind regards', 'en'],
  ])('a text for %s is found key by key, an override before the built-in text', (locale, greeting, end, language) => {
    const texts = catalogues(closing);
    const values = { name: 'X' } as never;
    expect(texts.say(locale, 'greeting', values)).toBe(greeting);
    expect(texts.say(locale, 'closing', values)).toBe(end);
    expect(texts.languageOf(locale, 'greeting')).toBe(language);
  });

  it('a text may be overridden under a tag with an underscore', () => {
    expect(catalogues({ pt_BR: { closing: 'Abraço' } }).say('pt-BR', 'closing', {} as never)).toBe('Abraço');
  });

  it('a text takes tags in it for text', () => {
    expect(catalogues({ en: { closing: '<b>Yours</b> {name}' } }).say('en', 'closing', { name: 'X' } as never)).toBe(
      '<b>Yours</b> X',
    );
  });

  it.each([
    ['has a broken message', '{title'],
    ['wants an argument that there is none of', '{nothing}'],
    ['takes a text for a date', '{title, date}'],
  ])('a text that %s fails without a word of the customer or the appointment', (_fault, text) => {
    const renderer = messageRenderer({ en: { closing: text } });
    const input = { type: 'CREATE', appointment: scheduled(), customer: sampleCustomer, links: {} } as const;
    let thrown: unknown;
    try {
      renderer.email(input);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(Error);
    expect((thrown as Error).message).toBe('The text closing in en cannot be rendered.');
    expect((thrown as Error).cause).toBeUndefined();
  });

  it('a text is found for more locales than are remembered', () => {
    const texts = catalogues({});
    const tags = Array.from({ length: 1200 }, (_, index) => `de-x-p${index}`);
    for (const tag of [...tags, ...tags]) expect(texts.languageOf(tag, 'closing')).toBe('de');
  });
});
