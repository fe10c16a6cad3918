import type { Notifiers, SendResult } from '../ports/notifier.js';
import type { Observer } from '../ports/observer.js';
import type { CustomerContact } from '../ports/customer-directory.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { MessageRenderer } from '../notifications/templates/message-renderer.js';

/** A code on its way to a customer. */
export interface OtpDelivery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly challengeId: string;
  readonly code: string;
  readonly contact: CustomerContact;
  readonly locale: string;
  readonly settings: ApplicationSettings;
}

/** More at a time wait for nobody: the customer asks again. */
const mostUnderWay = 100;

/**
 * Sends codes in the background, so that the answer to a request takes no longer for known customers than for unknown
 * ones. One attempt each: a code that is late is of no use, and the customer can ask again.
 */
export class OtpSending {
  readonly #notifiers: Notifiers;
  readonly #renderer: MessageRenderer;
  readonly #observer: Observer;
  readonly #underWay = new Set<Promise<void>>();

  constructor(notifiers: Notifiers, renderer: MessageRenderer, observer: Observer) {
    this.#notifiers = notifiers;
    this.#renderer = renderer;
    this.#observer = observer;
  }

  begin(delivery: OtpDelivery): void {
    const channel = delivery.contact.email === undefined ? 'SMS' : 'EMAIL';
    if (this.#underWay.size >= mostUnderWay) {
      this.#failed(channel, new Error('Too many one-time passwords are being sent.'));
      return;
    }
    const sending = this.#send(delivery).then(
      (error) => {
        if (error !== undefined) this.#failed(channel, error);
      },
      (error: unknown) => {
        this.#failed(channel, error);
      },
    );
    this.#underWay.add(sending);
    void sending.finally(() => this.#underWay.delete(sending));
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** What went wrong, or nothing. */
  async #send(delivery: OtpDelivery): Promise<Error | undefined> {
    const { contact, code, settings, locale, challengeId } = delivery;
    const { email, sms } = this.#notifiers;
    const texts = this.#renderer.otp({ code, locale });
    const context = {
      notificationId: challengeId,
      organizationId: delivery.organizationId,
      applicationId: delivery.applicationId,
      type: 'ONE_TIME_PASSWORD',
    } as const;
    if (contact.email !== undefined) {
      const { email: sender } = settings.notifications;
      if (email === undefined || sender === undefined) return new Error('There is no sender of mail.');
      const { subject, text, html, locale: language } = texts;
      const message = { subject, text, html, locale: language, from: sender.from, to: { address: contact.email } };
      return failureOf(
        await within(email.timeout, (signal) =>
          email.send({ ...context, channel: 'EMAIL', ...message }, { idempotencyKey: challengeId, attempt: 1, signal }),
        ),
      );
    }
    const { sms: sender } = settings.notifications;
    if (contact.phone === undefined || sms === undefined || sender === undefined) {
      return new Error('There is no sender of text messages.');
    }
    const message = { from: sender.from, to: contact.phone, text: texts.sms };
    return failureOf(
      await within(sms.timeout, (signal) =>
        sms.send({ ...context, channel: 'SMS', ...message }, { idempotencyKey: challengeId, attempt: 1, signal }),
      ),
    );
  }

  #failed(channel: 'EMAIL' | 'SMS', error: unknown): void {
    this.#observer.observe({ type: 'otpFailed', channel, error });
  }
}

function failureOf(result: SendResult): Error | undefined {
  return result.status === 'failed' || result.status === 'unknown' ? new Error(result.error) : undefined;
}

async function within<Value>(timeout: number, call: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      abort.abort();
      reject(new Error('The provider did not answer in time.'));
    }, timeout).unref();
  });
  try {
    return await Promise.race([call(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
