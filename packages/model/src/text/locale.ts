import { limits } from '../limits.js';

const remembered = new Map<string, string>();

/** Reads a language tag with hyphens or underscores as canonical BCP 47, or `undefined` (D6). */
export function parseLocale(text: string): string | undefined {
  if (text.length === 0 || text.length > limits.locale) return undefined;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  try {
    const [tag] = Intl.getCanonicalLocales(text.replaceAll('_', '-'));
    if (tag !== undefined && remembered.size < 1000) remembered.set(text, tag);
    return tag;
  } catch {
    return undefined;
  }
}

/** Writes a tag as answers show it, with underscores: `en_US` (D6). */
export function formatLocale(tag: string): string {
  return tag.replaceAll('-', '_');
}
