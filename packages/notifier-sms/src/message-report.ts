import type { DeliveryReport } from '@calends/core/notifier';
import { describeErrorCode, readErrorCode } from './error-codes.js';

/**
 * Provider words that end a message or say that it went on (D50), those of Twilio-compatible providers included; every
 * other word (accepted, scheduled, queued, sending, …) means that nothing is new.
 */
const states: ReadonlyMap<string, DeliveryReport['state']> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['opened', 'delivered'],
  ['undelivered', 'failed'],
  ['failed', 'failed'],
  ['bounced', 'failed'],
  ['rejected', 'failed'],
  ['suppressed', 'failed'],
  ['canceled', 'cancelled'],
]);

/** What the provider says of a message, as it stands in its JSON or in its form. */
export interface ProviderMessage {
  readonly id: unknown;
  readonly status: unknown;
  readonly errorCode: unknown;
}

/**
 * Reads what the provider says of a message.
 *
 * Only an id, a status word and an error code are taken over, and only in the shape of such: whatever else the provider
 * writes may repeat the number or the text.
 */
export function messageReport(message: ProviderMessage): DeliveryReport {
  const messageId = matching(/^[\w-]{1,64}$/, message.id);
  const providerStatus = matching(/^[a-z][a-z_-]{0,31}$/, message.status);
  const state = states.get(providerStatus ?? '') ?? 'pending';
  return {
    state,
    ...(messageId === undefined ? {} : { messageId }),
    ...(providerStatus === undefined ? {} : { providerStatus }),
    ...(state === 'failed' ? { error: notDelivered(message.errorCode) } : {}),
  };
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function notDelivered(errorCode: unknown): string {
  const code = describeErrorCode(readErrorCode(errorCode));
  return `The message was not delivered${code === undefined ? '' : ` (${code})`}.`;
}
