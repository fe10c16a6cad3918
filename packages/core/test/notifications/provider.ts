import type {
  DeliveryReport,
  EmailMessage,
  Notifier,
  NotifierCapability,
  ProviderReference,
  SendAttempt,
  SendResult,
  SmsMessage,
  WebhookMessage,
} from '../../src/notifier.js';

/** What a provider was asked to send. */
export interface Sent<Message> {
  readonly message: Message;
  readonly attempt: SendAttempt;
}

type Answer<Message> = (message: Message, attempt: SendAttempt) => SendResult | Promise<SendResult>;

/** A provider in the process that does what the test says, and remembers what it was asked. */
export class Provider<Message extends EmailMessage | SmsMessage | WebhookMessage> implements Notifier<Message> {
  readonly capability: NotifierCapability;
  readonly timeout: number;
  readonly sent: Sent<Message>[] = [];
  readonly polled: ProviderReference[] = [];
  readonly lookedUp: string[] = [];
  fetchStatus?: (reference: ProviderReference, signal: AbortSignal) => Promise<DeliveryReport>;
  lookUp?: (key: string, signal: AbortSignal) => Promise<SendResult | undefined>;
  #answer: Answer<Message> = () => ({ status: 'delivered' });

  constructor({ capability = 'none', timeout = 10_000 }: { capability?: NotifierCapability; timeout?: number } = {}) {
    this.capability = capability;
    this.timeout = timeout;
  }

  get types(): readonly string[] {
    return this.sent.map(({ message }) => message.type);
  }

  /** Answers every send like this from now on. */
  answers(answer: SendResult | Answer<Message>): this {
    this.#answer = typeof answer === 'function' ? answer : () => answer;
    return this;
  }

  /** Takes messages, and tells of them when it is asked. */
  reports(...reports: readonly (DeliveryReport | Error)[]): this {
    this.#answer = (_message, { idempotencyKey }) => ({
      status: 'submitted',
      messageId: `m-${idempotencyKey}`,
      providerStatus: 'queued',
    });
    const left = [...reports];
    this.fetchStatus = (reference) => {
      this.polled.push(reference);
      const report = left.length > 1 ? left.shift() : left[0];
      if (report instanceof Error) return Promise.reject(report);
      return Promise.resolve(report ?? { state: 'pending' });
    };
    return this;
  }

  async send(message: Message, attempt: SendAttempt): Promise<SendResult> {
    this.sent.push({ message, attempt });
    return this.#answer(message, attempt);
  }
}
