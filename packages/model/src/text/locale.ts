import { limits } from '../limits.js';
import { remembered } from '../remembered.js';

/** Reads a language tag with hyphens or underscores as canonical BCP 47, or `undefined` (D6). */
export function parseLocale(text: string): string | undefined {
  if (text.length === 0 || text.length > limits.locale) return undefined;
  return canonicalTag(text);
}

const canonicalTag = remembered(1000, (text) => {
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
});

/** Writes a tag as answers show it, with underscores: `en_US` (D6). */
export function formatLocale(tag: string): string {
  return tag.replaceAll('-', '_');
}
