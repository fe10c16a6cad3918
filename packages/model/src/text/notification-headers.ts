import { limits } from '../limits.js';
import { isReservedName } from './string-rules.js';

const token = new RegExp(String.raw`^[!#$%&'*+\-.^_\`|~0-9A-Za-z]{1,${limits.headerName}}$`);
const value = /^[\t\x20-\x7e\xa0-\xff]*$/;
/** A byte for each character, as nearly all have. */
const plain = /^[\t -~]*$/;
const encoder = new TextEncoder();
const reserved = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'host',
  'x-signature',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'forwarded',
  'metadata',
  'metadata-flavor',
  'x-aws-ec2-metadata-token',
  'x-google-metadata-request',
]);
const reservedPrefixes = ['content-', 'webhook-', 'x-forwarded-', 'x-real-'];

/**
 * Names that are not forwarded from an appointment (D63): proxies, identity layers, signatures and caches read them. `*`
 * stands for anything; letter case does not matter, and `_` is `-`, which gateways make the same variable of.
 */
export const notForwardedHeaders = [
  ...[
    'x-forwarded-*',
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'true-client-ip',
    'cf-*',
    'x-original-*',
    'x-rewrite-*',
  ],
  ...['x-remote-*', 'remote-*', 'x-auth-*', 'x-user*', 'x-api-key', 'impersonate-*', 'x-ms-client-*', 'x-goog-*'],
  ...['x-amzn-*', 'x-middleware-*', 'x-http-method*', '*-signature', '*-signature-*'],
  ...['date', 'range', 'accept-encoding'],
] as const;

const notForwarded = new RegExp(`^(?:${notForwardedHeaders.map((name) => name.replaceAll('*', '.*')).join('|')})$`);

/** One name however it is written: receivers that hand headers on as variables make one of `x-a`, `X-A` and `x_a`. */
function variableOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Names of nobody's choice: of a call itself, of who calls, and of how it is signed (D7). */
function isReserved(name: string): boolean {
  const variable = variableOf(name);
  return reserved.has(variable) || reservedPrefixes.some((prefix) => variable.startsWith(prefix));
}

/** Tells whether a header of an appointment may reach a receiver at all (D7, D63). */
export function mayBeForwarded(name: string): boolean {
  return !isReserved(name) && !notForwarded.test(variableOf(name));
}

/** Why a header map was refused. */
export type HeaderFault = 'not_a_string_map' | 'too_many' | 'too_long' | 'name' | 'reserved' | 'value';

/** Result of reading a header map. */
export type HeaderReading =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly fault: HeaderFault };

/**
 * Checks a map of headers for calls of web hooks (D7; hop-by-hop names: RFC 9110 section 7.6.1). `_` counts as `-`: for
 * names that are reserved, and for a name that is there twice.
 *
 * Enough for what the operator of an endpoint sets; those of an appointment go through {@link readNotificationHeaders}.
 */
export function readHeaderMap(input: unknown): HeaderReading {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, fault: 'not_a_string_map' };
  }
  const entries = Object.entries(input);
  if (entries.length > limits.headerEntries) return { ok: false, fault: 'too_many' };
  const headers: Record<string, string> = {};
  let bytes = 0;
  const names = new Set<string>();
  for (const [name, text] of entries) {
    if (typeof text !== 'string') return { ok: false, fault: 'not_a_string_map' };
    bytes += name.length + (plain.test(text) ? text.length : encoder.encode(text).length);
    if (bytes > limits.headerBytes) return { ok: false, fault: 'too_long' };
    const variable = variableOf(name);
    if (!token.test(name) || isReservedName(name) || names.has(variable)) return { ok: false, fault: 'name' };
    if (isReserved(name)) return { ok: false, fault: 'reserved' };
    if (!value.test(text)) return { ok: false, fault: 'value' };
    names.add(variable);
    headers[name] = text;
  }
  return { ok: true, headers };
}

/**
 * Checks the `notificationHeaders` of an appointment: as {@link readHeaderMap}, and no name of
 * {@link notForwardedHeaders} but those that the appointment has already (D63).
 */
export function readNotificationHeaders(input: unknown, kept: Readonly<Record<string, string>> = {}): HeaderReading {
  const reading = readHeaderMap(input);
  if (!reading.ok) return reading;
  const known = new Set(Object.keys(kept).map((name) => name.toLowerCase()));
  const isRefused = (name: string): boolean => !mayBeForwarded(name) && !known.has(name.toLowerCase());
  return Object.keys(reading.headers).some(isRefused) ? { ok: false, fault: 'reserved' } : reading;
}

/** Checks the JSON text form that create requests use; every name in it is new. */
export function readHeaderText(text: unknown): HeaderReading {
  if (typeof text !== 'string') return { ok: false, fault: 'not_a_string_map' };
  if (text.length > 2 * limits.headerBytes) return { ok: false, fault: 'too_long' };
  if (text.trim() === '') return { ok: true, headers: {} };
  try {
    return readNotificationHeaders(JSON.parse(text));
  } catch {
    return { ok: false, fault: 'not_a_string_map' };
  }
}
