import { isPhoneNumber } from '@calends/core/notifier';

/** Blanks, marks of direction that come with a copied number, hyphens and dashes, dots, brackets. */
const marks = /[\s\u200E\u200F\u202A-\u202E\u2066-\u2069\-\u2010\u2011\u2013.()]/g;
/** The zero that is dialled at home only, behind the code of the country: `+44 (0)20`. */
const zeroOfHome = /^([^\d+]*\+[^\d+]*\d{1,3}[^\d(]*)\(0\)/;
/** A slash behind the area code. What stands behind any other may be an extension, or the end of another number. */
const slash = /\/(?=\d{4,}$)/;

/**
 * A phone number as the library takes it; what is none stays as it was typed.
 *
 * Nothing is guessed: a number that is read wrongly belongs to somebody else.
 */
export function tidiedPhone(typed: string): string {
  // Another bracket that begins with a zero may hold one that belongs there (Italy) or one that does not (Germany).
  const dialled = typed.replace(zeroOfHome, '$1');
  if (/\(\s*0/.test(dialled)) return typed;
  const tidied = dialled.replaceAll(marks, '').replace(slash, '');
  return isPhoneNumber(tidied) ? tidied : typed;
}
