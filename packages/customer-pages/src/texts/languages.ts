import { english } from './english.js';
import { german } from './german.js';
import { greek } from './greek.js';
import type { PageTexts } from './page-texts.js';

/** The languages that the pages bring along, by BCP 47 tag. */
export const builtInLanguages: Readonly<Record<string, PageTexts>> = { en: english, de: german, el: greek };

/** The texts of one page and how its dates are written. */
export interface Language {
  readonly texts: PageTexts;
  /** For `lang`. */
  readonly tag: string;
  /** What was wished, where the language is there: for messages. */
  readonly locale: string;
  /** For dates and numbers: the region that was asked for, where the language is there. */
  readonly region: string;
}

/** Answers the language for a wish: `pt-BR`, else `pt`, else English. */
export class Languages {
  readonly #texts: Readonly<Record<string, PageTexts>>;

  constructor(overrides: Readonly<Record<string, Partial<PageTexts>>>) {
    const tags = new Set([...Object.keys(builtInLanguages), ...Object.keys(overrides)]);
    this.#texts = Object.fromEntries(
      [...tags].map((tag) => [
        tag,
        { ...english, ...builtInLanguages[tag.split('-')[0] ?? tag], ...builtInLanguages[tag], ...overrides[tag] },
      ]),
    );
  }

  /** Tags that there are texts for. */
  get tags(): readonly string[] {
    return Object.keys(this.#texts);
  }

  /** The nearest language that there are texts for. */
  of(wish: string): Language {
    for (const tag of [wish, wish.split('-')[0] ?? wish]) {
      const texts = Object.hasOwn(this.#texts, tag) ? this.#texts[tag] : undefined;
      // Plain English would get the American order of dates.
      if (texts !== undefined) return { texts, tag, locale: wish, region: wish === 'en' ? 'en-GB' : wish };
    }
    return { texts: english, tag: 'en', locale: 'en', region: 'en-GB' };
  }
}
