import { vi } from 'vitest';
import type { EmailMessage, SendResult, SmsMessage, WebhookMessage } from '../../src/index.js';
import type { Provider } from './provider.js';

/** A provider whose answers the test gives, one by one, in the order of the calls. */
export interface Held {
  /** Until the provider was asked to send so often. */
  called(times: number): Promise<void>;
  /** Answers the earliest call that waits. */
  answer(result?: SendResult): void;
}

/** Makes a provider wait for the test, in its next call or calls; later ones are delivered. */
export function held<Message extends EmailMessage | SmsMessage | WebhookMessage>(
  provider: Provider<Message>,
  calls = 1,
): Held {
  const waiting: ((result: SendResult) => void)[] = [];
  let left = calls;
  provider.answers(() => {
    left -= 1;
    return left < 0 ? { status: 'delivered' } : new Promise((resolve) => waiting.push(resolve));
  });
  return {
    called: (times) => vi.waitUntil(() => provider.sent.length >= times, { interval: 1 }).then(() => undefined),
    answer: (result = { status: 'delivered' }) => {
      const resolve = waiting.shift();
      if (resolve === undefined) throw new Error('No call waits.');
      resolve(result);
    },
  };
}
