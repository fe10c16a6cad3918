import { english } from './english.js';

/** Every text of the pages, by key. */
export type PageTexts = typeof english;

/** A key of {@link PageTexts}. */
export type PageTextKey = keyof PageTexts;

/** Every key, for hosts that bring a language of their own. */
export const pageTextKeys = Object.keys(english) as readonly PageTextKey[];
