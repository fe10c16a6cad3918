import type { EmailMessage, SendResult, SmsMessage, WebhookMessage } from '../../src/notifier.js';
import type { Provider } from './provider.js';

/** The real one, also where a test fakes timers; by then everything that the call led to has happened. */
const afterwards = setImmediate;

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
  // Not `vi.waitUntil`: it looks on after the test that forgot it, and moves the fake clock of the next one at each look.
  let watchers: (() => boolean)[] = [];
  let left = calls;
  provider.answers(() => {
    left -= 1;
    afterwards(() => {
      watchers = watchers.filter((isContent) => !isContent());
    });
    return left < 0 ? { status: 'delivered' } : new Promise((resolve) => waiting.push(resolve));
  });
  return {
    called: (times) =>
      new Promise((resolve) => {
        const isContent = (): boolean => {
          const isEnough = provider.sent.length >= times;
          if (isEnough) resolve();
          return isEnough;
        };
        if (!isContent()) watchers.push(isContent);
      }),
    answer: (result = { status: 'delivered' }) => {
      const resolve = waiting.shift();
      if (resolve === undefined) throw new Error('No call waits.');
      resolve(result);
    },
  };
}
