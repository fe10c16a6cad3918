import { IntlMessageFormat } from 'intl-messageformat';
import { parseLocale, remembered } from '@calends/model';
import { de } from './locales/de.js';
import { el } from './locales/el.js';
import { en } from './locales/en.js';
import type { ArgumentsOf, Catalogue, TemplateKey, TemplateOverrides } from './template-keys.js';

/** Languages that are shipped whole. */
export const builtInCatalogues = { en, de, el } as const satisfies Readonly<Record<string, Catalogue>>;

/** What is taken when no language of the chain has a text. */
export const lastResort = 'en';

/** The texts of every language, overrides first. */
export interface Catalogues {
  /** Tag of the language in which a text is found for a locale. */
  languageOf(locale: string, key: TemplateKey): string;
  /**
   * A text for a locale with its arguments filled in.
   *
   * @throws Error that names text and language and nothing of the arguments, when the text cannot be rendered
   */
  say<Key extends TemplateKey>(locale: string, key: Key, values: ArgumentsOf<Key>): string;
}

interface Found {
  readonly language: string;
  readonly text: string;
}

/**
 * Puts overrides over the built-in texts; each text is compiled when it is first needed, once.
 *
 * A text is looked for key by key: in the locale, then in the locale cut short (RFC 4647, Lookup), then in English.
 */
export function catalogues(overrides: TemplateOverrides): Catalogues {
  const languages = mergedLanguages(overrides);
  const chainOf = remembered(500, (locale) => localeChain(locale).filter((tag) => languages.has(tag)));
  // As many as there are texts: by the language in which a text was found, not by what was asked.
  const compiled = new Map<string, IntlMessageFormat>();

  const find = (locale: string, key: TemplateKey): Found => {
    for (const language of chainOf(locale)) {
      const text = languages.get(language)?.get(key);
      if (text !== undefined) return { language, text };
    }
    return { language: lastResort, text: en[key] };
  };
  const formatOf = ({ language, text }: Found, key: TemplateKey): IntlMessageFormat => {
    const name = `${language} ${key}`;
    const known = compiled.get(name);
    if (known !== undefined) return known;
    const format = compileMessage(text, language);
    compiled.set(name, format);
    return format;
  };
  return {
    languageOf: (locale, key) => find(locale, key).language,
    say: (locale, key, values) => {
      const found = find(locale, key);
      try {
        return String(formatOf(found, key).format({ ...values }));
      } catch {
        // Without a cause: errors of the formatter repeat the values, which are personal data.
        throw new Error(`The text ${key} in ${found.language} cannot be rendered.`);
      }
    },
  };
}

/** Compiles an ICU message; what looks like a tag is text. The run time's own language never matters. */
export function compileMessage(
  text: ConstructorParameters<typeof IntlMessageFormat>[0],
  language: string,
): IntlMessageFormat {
  return new IntlMessageFormat(text, [language, lastResort], undefined, { ignoreTag: true });
}

/** The locale, what is left of it when it is cut short subtag by subtag, then English (RFC 4647, section 3.4). */
export function localeChain(locale: string): readonly string[] {
  const chain: string[] = [];
  const subtags = locale.split('-');
  while (subtags.length > 0) {
    // A single letter or digit only introduces what followed it.
    if ((subtags.at(-1)?.length ?? 0) > 1) chain.push(subtags.join('-'));
    subtags.pop();
  }
  return chain.includes(lastResort) ? chain : [...chain, lastResort];
}

function mergedLanguages(overrides: TemplateOverrides): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const languages = new Map<string, Map<string, string>>();
  const add = (tag: string, texts: Readonly<Record<string, string>>): void => {
    languages.set(tag, new Map([...(languages.get(tag) ?? []), ...Object.entries(texts)]));
  };
  for (const [tag, texts] of Object.entries(builtInCatalogues)) add(tag, texts);
  for (const [tag, texts] of Object.entries(overrides)) add(parseLocale(tag) ?? tag, texts);
  return languages;
}
