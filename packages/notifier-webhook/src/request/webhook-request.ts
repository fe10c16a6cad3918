import type { WebhookMessage } from '@calends/core/notifier';
import type { HttpCall } from '../http/http-call.js';
import { signWebhook } from '../signature/sign-webhook.js';

/** What receivers see as the sender. */
export const userAgent = 'Calends-Webhooks/1';

/** What a request carries beyond its message. */
export interface RequestParts {
  /** The appointment's `notificationHeaders`, checked. */
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `authorization`, if the endpoint wants one. */
  readonly authorization: string | undefined;
}

/**
 * Builds the POST of a message and signs the bytes that it sends.
 *
 * Names differ without regard to case and to `_` for `-`, of which receivers make one variable; the later wins: the
 * appointment's headers, the endpoint's, ours. Customers can set those of an appointment, and must not replace what the operator has set.
 */
export function webhookRequest(message: WebhookMessage, { headers, authorization }: RequestParts): HttpCall {
  const { endpoint, notificationId, timestamp } = message;
  const body = Buffer.from(message.body);
  const ours = {
    ...(authorization === undefined ? {} : { authorization }),
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': notificationId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signWebhook({ id: notificationId, timestamp, body, secret: endpoint.secret }),
  };
  return {
    url: new URL(endpoint.url),
    headers: merged(headers, endpoint.headers ?? {}, ours),
    body,
    answer: 'drop',
  };
}

function merged(...maps: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  const entries = maps
    .flatMap((map) => Object.entries(map))
    .map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(new Map(entries.map((entry) => [entry[0].replaceAll('_', '-'), entry])).values());
}

/** The value of `authorization` for a name and a password (RFC 7617, in UTF-8). */
export function basicCredentials(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
