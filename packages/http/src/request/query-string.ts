import { isSafeText } from '@calends/model';

/** All values of each name, in the order of the address; without a prototype. */
export type QueryValues = Readonly<Record<string, readonly string[]>>;

const maxQueryLength = 32 * 1024;
const maxPairs = 200;
const none: QueryValues = Object.freeze(Object.create(null) as Record<string, readonly string[]>);

/**
 * Reads a raw query by itself: the host's query parser, which may make arrays and objects of it, has no say.
 *
 * `+` is a blank, as forms write it. Returns `undefined` for broken percent-encoding, control characters, lone
 * surrogates, more than 200 pairs or more than 32 KiB (threats: Input).
 */
export function parseQueryString(raw: string): QueryValues | undefined {
  if (raw === '') return none;
  if (raw.length > maxQueryLength) return undefined;
  const values = Object.create(null) as Record<string, string[]>;
  const pairs = raw.split('&', maxPairs + 1);
  if (pairs.length > maxPairs) return undefined;
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || value === undefined) return undefined;
    (values[name] ??= []).push(value);
  }
  return values;
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return isSafeText(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
