import type { Instant } from '@calends/core/store';
import { timingSafeEqual } from 'node:crypto';
import { isUint8Array } from 'node:util/types';
import { signatureOf } from './sign-webhook.js';
import { readKeys, type WebhookSecret } from './webhook-secret.js';
import { WebhookVerificationError } from './webhook-verification-error.js';

/** Headers as Node's `http`, Express and others have them, or as `fetch` has them. */
export type ReceivedHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

/** A web hook as it arrived. */
export interface ReceivedWebhook {
  /** The body before anything parsed it: a single other byte is another signature. */
  readonly body: string | Uint8Array;
  readonly headers: ReceivedHeaders;
  /** `whsec_` and base64; while a secret is being rotated the old and the new one. */
  readonly secret: WebhookSecret;
  /** How far its time may be from now, in seconds. Default 300. */
  readonly tolerance?: number | undefined;
  /** The present, in epoch milliseconds. Default the system's clock. */
  readonly now?: Instant | undefined;
}

/** What a web hook tells (D59). */
export interface WebhookContent {
  readonly id: string;
  /** One of the 16 names of `NotificationType`; a later version may know more. */
  readonly type: string;
  /** When it happened, ISO 8601. */
  readonly timestamp: string;
  readonly payload: unknown;
}

/**
 * Checks that a web hook comes from who has the secret, is of now, and answers what it tells.
 *
 * A web hook may arrive more than once: `webhook-id` is the same each time, so keep the ids that were dealt with for
 * three days. Compares in constant time.
 *
 * @throws WebhookVerificationError with one of its codes; answer 400 and do nothing
 * @throws TypeError for a malformed secret or tolerance of yours
 *
 * @example
 * ```ts
 * import { signWebhook, verifyWebhook } from '@calends/notifier-webhook';
 *
 * const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
 * const body = '{"id":"1","type":"CREATE","timestamp":"2026-05-04T09:00:00Z","payload":{}}';
 * const now = Date.now();
 * const timestamp = Math.floor(now / 1000);
 * const headers = {
 *   'webhook-id': '1',
 *   'webhook-timestamp': String(timestamp),
 *   'webhook-signature': signWebhook({ id: '1', timestamp, body, secret }),
 * };
 * console.log(verifyWebhook({ body, headers, secret, now }).type); // CREATE
 * ```
 */
export function verifyWebhook({ body, headers, secret, tolerance = 300, now }: ReceivedWebhook): WebhookContent {
  if (!(tolerance >= 0)) throw new TypeError('tolerance: must be a number of seconds');
  const keys = readKeys(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  checkTime(timestamp, tolerance, Math.floor((now ?? Date.now()) / 1000));
  // Parsers leave another value, or none, where they do not know the type that the caller claims.
  if (typeof body !== 'string' && !isUint8Array(body)) throw new WebhookVerificationError('invalid_body');
  const isOurs = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, id, timestamp, body));
    return signatures.some((given) => isSame(Buffer.from(given), expected));
  });
  if (!isOurs) throw new WebhookVerificationError('no_matching_signature');
  return readContent(body);
}

function headerOf(headers: ReceivedHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : ownHeader(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('missing_header');
  return value;
}

function isFetchHeaders(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function ownHeader(headers: Exclude<ReceivedHeaders, { get(name: string): string | null }>, name: string): unknown {
  const found = Object.entries(headers).filter(([each]) => each.toLowerCase() === name);
  return found.length === 1 ? found[0]?.[1] : undefined;
}

function checkTime(text: string, tolerance: number, now: number): void {
  if (!/^\d{1,12}$/.test(text)) throw new WebhookVerificationError('invalid_timestamp');
  const age = now - Number(text);
  if (age > tolerance) throw new WebhookVerificationError('timestamp_too_old');
  if (-age > tolerance) throw new WebhookVerificationError('timestamp_too_new');
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

function readContent(body: string | Uint8Array): WebhookContent {
  const content = parsed(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
  if (!isContent(content)) throw new WebhookVerificationError('invalid_body');
  return content;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookVerificationError('invalid_body');
  }
}

function isContent(value: unknown): value is WebhookContent {
  if (typeof value !== 'object' || value === null || !('payload' in value)) return false;
  const { id, type, timestamp } = value as Record<string, unknown>;
  return [id, type, timestamp].every((each) => typeof each === 'string');
}
