import { createHmac } from 'node:crypto';
import { readKeys, type WebhookSecret } from './webhook-secret.js';

/** What is signed, and with what. */
export interface WebhookToSign {
  /** The value of `webhook-id`. */
  readonly id: string;
  /** The value of `webhook-timestamp`: whole epoch seconds. */
  readonly timestamp: number;
  /** The body, as it is sent. */
  readonly body: string | Uint8Array;
  /** `whsec_` and base64; several make as many signatures. */
  readonly secret: WebhookSecret;
}

/**
 * Signs a web hook: the value of `webhook-signature` (Standard Webhooks 1.0).
 *
 * Each signature is `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; blanks lie between several.
 *
 * @throws TypeError for a malformed secret or a timestamp that is no whole number
 */
export function signWebhook({ id, timestamp, body, secret }: WebhookToSign): string {
  if (!Number.isSafeInteger(timestamp)) throw new TypeError('timestamp: must be whole epoch seconds');
  return readKeys(secret)
    .map((key) => signatureOf(key, id, String(timestamp), body))
    .join(' ');
}

/** One signature, with its version. */
export function signatureOf(key: Uint8Array, id: string, timestamp: string, body: string | Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
