import { limits } from '../limits.js';
import { remembered } from '../remembered.js';

/** Control characters (tab, line feed and carriage return are text) and surrogates without their partner. */
const unsafe = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/**
 * Tells whether a string can be stored and answered by every store and client.
 *
 * False for NUL and other control characters (tab, line feed and carriage return are fine) and for unpaired surrogates.
 */
export function isSafeText(text: string): boolean {
  return !unsafe.test(text);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Tells whether a value can be an id that this library made (D9). */
export function isWellFormedId(id: unknown): id is string {
  return typeof id === 'string' && id.length === 36 && uuid.test(id);
}

/** The organization where none is named: of tokens without that claim, and of what customers book of an application without one. */
export const defaultOrganization = 'default';

/** Unlike in {@link isSafeText}, no tab and no line break. */
const unsafeInId = /[\p{Cc}\p{Cs}]/u;

/** Tells whether a value can be an id of the host: a string, not empty, not too long, no control characters, no unpaired surrogates. */
export function isIdText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength && !unsafeInId.test(value);
}

/** What {@link isIdText} asks for, as a sentence without its subject. */
export const idRule = (maxLength: number): string =>
  `must have 1 to ${String(maxLength)} characters, and no control characters`;

/** Tells whether a name would reach an object's prototype when a map is copied carelessly (D8). */
export function isReservedName(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

/**
 * Reads a language tag with hyphens or underscores as canonical BCP 47, or `undefined` (D6).
 *
 * The canonical form may be longer (`sh` is `sr-Latn`), and must not be longer than what is read: what is answered can be sent back.
 */
export function parseLocale(text: string): string | undefined {
  if (text.length === 0 || text.length > limits.locale) return undefined;
  const tag = canonicalTag(text);
  return tag !== undefined && tag.length <= limits.locale ? tag : undefined;
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

/**
 * The tag to write dates by: run times have no names of months for the calendar of ISO 8601, and leave the month out. Its days are
 * the Gregorian ones.
 */
export function tagOfDates(tag: string): string {
  const { calendar } = new Intl.Locale(tag);
  return calendar === 'iso8601' ? new Intl.Locale(tag, { calendar: 'gregory' }).toString() : tag;
}

const rightToLeftScripts = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** Reading direction of a language, for `dir`; by its script, as `Intl.Locale.textInfo` differs between run times. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return rightToLeftScripts.has(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** One address with the name that is shown beside it. */
export interface Mailbox {
  /** Empty when there is none. */
  readonly name: string;
  readonly address: string;
}

/** Nothing in a part could end an address, begin another, or be an SMTP parameter that mail software would act on. */
const part = String.raw`[^\s@,;:<>()[\]"\\]+`;
const addressPattern = new RegExp(`^${part}@${part}$`);

/** An address as requests give it: blanks around it are dropped, and there may be none. */
export const mailboxField = new RegExp(`^ *(?:${part}@${part} *)?$`);

/** Longest path of RFC 5321, section 4.5.3.1.3, without its angle brackets. */
const maxAddressLength = 254;

/** Everything that ends a line or moves a cursor somewhere: none of it belongs into a header. */
const control = /[\p{Cc}\u2028\u2029]/u;

/** Tells whether a string is exactly one address. */
export function isMailAddress(text: string): boolean {
  return text.length <= maxAddressLength && addressPattern.test(text) && isSafeText(text);
}

/**
 * Reads `address`, `Name <address>` or `"Name" <address>`; `undefined` for everything else, several addresses among it.
 *
 * @example
 * ```ts
 * import { parseMailbox } from '@calends/core/notifier';
 *
 * console.log(parseMailbox('Clinic <a@clinic.example>')?.address); // a@clinic.example
 * ```
 */
export function parseMailbox(text: string): Mailbox | undefined {
  if (isMailAddress(text)) return { name: '', address: text };
  const open = text.lastIndexOf('<');
  if (open === -1 || !text.endsWith('>') || control.test(text)) return undefined;
  const address = text.slice(open + 1, -1);
  const name = unquoted(text.slice(0, open).trim());
  return name !== undefined && isMailAddress(address) ? { name, address } : undefined;
}

/** A display name without its quotes; `undefined` where a quote or bracket outside of them makes its end uncertain. */
function unquoted(name: string): string | undefined {
  const inside = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (inside !== undefined) return inside.replaceAll(/\\(.)/g, '$1');
  return /["<>@]/.test(name) ? undefined : name;
}

/** Tells whether an option of a host is an http or https address, written out. */
export function isWebAddress(address: unknown): address is string {
  return typeof address === 'string' && /^https?:\/\/\S+$/.test(address) && URL.canParse(address);
}

const e164 = /^\+[1-9]\d{6,14}$/;

/** Tells whether a string is a phone number in E.164 form. */
export function isPhoneNumber(text: string): boolean {
  return e164.test(text);
}
