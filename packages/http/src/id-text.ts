const unsafe = /[\p{Cc}\p{Cs}]/u;

/** Tells whether a text can be an id: not empty, not too long, no control characters, no lone surrogates. */
export function isIdText(text: unknown, maxLength: number): text is string {
  return typeof text === 'string' && text !== '' && text.length <= maxLength && !unsafe.test(text);
}
