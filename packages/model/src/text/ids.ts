const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Tells whether a value can be an id that this library made (D9). */
export function isWellFormedId(id: unknown): id is string {
  return typeof id === 'string' && id.length === 36 && uuid.test(id);
}

/** The organization where none is named: of tokens without that claim, and of what customers book of an application without one. */
export const defaultOrganization = 'default';

const unsafe = /[\p{Cc}\p{Cs}]/u;

/** Tells whether a value can be an id of the host: a string, not empty, not too long, no control characters, no unpaired surrogates. */
export function isIdText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= maxLength && !unsafe.test(value);
}

/** What {@link isIdText} asks for, as a sentence without its subject. */
export const idRule = (maxLength: number): string =>
  `must have 1 to ${String(maxLength)} characters, and no control characters`;
