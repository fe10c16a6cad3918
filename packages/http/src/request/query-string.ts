import { isSafeText } from '@calends/model';

/** All values of each name, in the order of the address; without a prototype. */
export type QueryValues = Readonly<Record<string, readonly string[]>>;

/** Why a query was refused, in words of its own where it is not about one value. */
export interface QueryFault {
  readonly fault: string;
  /** As the client wrote it. */
  readonly parameter?: string;
}

const maxQueryLength = 32 * 1024;
const maxPairs = 200;
const textRule = 'must be percent-encoded UTF-8 text without control characters.';
const none: QueryValues = Object.freeze(Object.create(null) as Record<string, readonly string[]>);

/**
 * Reads a raw query by itself: the host's query parser, which may make arrays and objects of it, has no say.
 *
 * `+` is a blank, as forms write it. Returns a fault for broken percent-encoding, control characters, lone
 * surrogates, more than 200 pairs or more than 32 KiB (security model).
 */
export function parseQueryString(raw: string): { readonly values: QueryValues } | QueryFault {
  if (raw === '') return { values: none };
  if (raw.length > maxQueryLength) return { fault: 'The query must have at most 32 KiB.' };
  const values = Object.create(null) as Record<string, string[]>;
  const pairs = raw.split('&', maxPairs + 1);
  if (pairs.length > maxPairs) return { fault: 'The query must have at most 200 parameters.' };
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined) return { fault: `Names of the query ${textRule}` };
    if (value === undefined) return { fault: `Values ${textRule}`, parameter: name };
    (values[name] ??= []).push(value);
  }
  return { values };
}

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '));
    return isSafeText(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
