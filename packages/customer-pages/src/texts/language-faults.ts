import { isEmptyInstance } from '@calends/core/store';
import { isCanonicalTag } from './language-tag.js';
import { pageTextKeys } from './page-texts.js';

/** What is wrong with texts that a host brings, or `undefined`. */
export function languageFaults(texts: unknown): string | undefined {
  if (!isPlain(texts)) return 'must be an object of languages';
  for (const [tag, entries] of Object.entries(texts)) {
    if (!isCanonicalTag(tag)) return `${tag} must be a language tag, spelled like de-AT`;
    if (!isPlain(entries)) return `${tag} must be an object of texts`;
    for (const [key, text] of Object.entries(entries)) {
      if (!(pageTextKeys as readonly string[]).includes(key)) return `${tag} has the unknown text ${key}`;
      if (typeof text !== 'string') return `${tag}.${key} must be a string`;
    }
  }
  return undefined;
}

/** A promise or a map has none of its entries as members: what it holds would be passed over without a word. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isEmptyInstance(value);
}
