import { isCanonicalTag } from './language-tag.js';
import { pageTextKeys } from './page-texts.js';

/** What is wrong with texts that a host brings, or `undefined`. */
export function languageFaults(texts: unknown): string | undefined {
  if (typeof texts !== 'object' || texts === null) return 'must be an object of languages';
  for (const [tag, entries] of Object.entries(texts)) {
    if (!isCanonicalTag(tag)) return `${tag} must be a language tag, spelled like de-AT`;
    if (typeof entries !== 'object' || entries === null) return `${tag} must be an object of texts`;
    for (const [key, text] of Object.entries(entries as object)) {
      if (!(pageTextKeys as readonly string[]).includes(key)) return `${tag} has the unknown text ${key}`;
      if (typeof text !== 'string') return `${tag}.${key} must be a string`;
    }
  }
  return undefined;
}
