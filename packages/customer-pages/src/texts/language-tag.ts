/** Tells whether a string is a BCP 47 language tag. */
export function isLanguageTag(text: unknown): text is string {
  return typeof text === 'string' && canonical(text) !== undefined;
}

/** Tells whether it is spelled as tags are compared: `de-AT`, not `de-at`. */
export function isCanonicalTag(text: string): boolean {
  return canonical(text) === text;
}

function canonical(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
