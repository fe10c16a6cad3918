import { setImmediate } from 'node:timers/promises';
import type { MaybePromise } from '../maybe-promise.js';
import { callProvider } from '../notifications/delivery/call-provider.js';
import type { MessageRenderer } from '../notifications/templates/message-renderer.js';
import type { CustomerContact, CustomerDirectory } from '../ports/customer-directory.js';
import type { Notifiers, SendAttempt, SendResult } from '../ports/notifier.js';
import type { Observer } from '../ports/observer.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { addressIn } from './otp-codes.js';

/** A code that was made for a user name, known or not. */
export interface OtpDelivery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly username: string;
  readonly challengeId: string;
  readonly code: string;
  /** As asked for; default the customer's, else the application's. */
  readonly locale: string | undefined;
  readonly settings: ApplicationSettings;
}

/** What sending needs. */
export interface OtpSendingPorts {
  readonly notifiers: Notifiers;
  readonly customerDirectory: CustomerDirectory | undefined;
  readonly renderer: MessageRenderer;
  readonly observer: Observer;
}

/** More at a time wait for nobody: the customer asks again. */
const mostUnderWay = 100;

type OtpChannel = 'EMAIL' | 'SMS';

/** A way to a customer, as far as this process can go it. */
interface Way {
  readonly channel: OtpChannel;
  /** `undefined` = this process or the application sends nothing over the channel. */
  readonly send: (() => MaybePromise<SendResult>) | undefined;
}

/**
 * Sends codes in the background: what tells known customers from unknown ones happens after the answer to the request.
 *
 * One attempt each: a code that is late is of no use, and the customer can ask again.
 */
export class OtpSending {
  readonly #ports: OtpSendingPorts;
  readonly #underWay = new Set<Promise<void>>();

  constructor(ports: OtpSendingPorts) {
    this.#ports = ports;
  }

  /** Returns at once, and does nothing else before the caller goes on. */
  begin(delivery: OtpDelivery): void {
    if (this.#underWay.size >= mostUnderWay) {
      this.#failed(undefined, new Error('Too many one-time passwords are being sent.'));
      return;
    }
    const sending = this.#deliver(delivery).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #deliver(delivery: OtpDelivery): Promise<void> {
    await setImmediate();
    let way: Way | undefined;
    try {
      const contact = await this.#contactOf(delivery);
      way = contact && this.#wayTo(contact, delivery);
      if (way === undefined) return;
      if (way.send === undefined) throw new Error('There is no sender for the channel.');
      const result = await way.send();
      if (result.status === 'failed' || result.status === 'unknown') throw new Error(result.error);
    } catch (error) {
      this.#failed(way?.channel, error);
    }
  }

  /** An address is its own contact; everything else is for the host's directory. */
  async #contactOf({ organizationId, applicationId, username }: OtpDelivery): Promise<CustomerContact | undefined> {
    const own = addressIn(username);
    if (own.email !== undefined || own.phone !== undefined) return own;
    return this.#ports.customerDirectory?.contactOf({ organizationId, applicationId, username });
  }

  /** E-mail before SMS, a channel that sends before one that does not; none without an address. */
  #wayTo(contact: CustomerContact, delivery: OtpDelivery): Way | undefined {
    const ways: Way[] = [];
    if (contact.email) ways.push({ channel: 'EMAIL', send: this.#mailing(contact.email, contact, delivery) });
    if (contact.phone) ways.push({ channel: 'SMS', send: this.#texting(contact.phone, contact, delivery) });
    return ways.find(({ send }) => send !== undefined) ?? ways[0];
  }

  #mailing(address: string, contact: CustomerContact, delivery: OtpDelivery): Way['send'] {
    const { email } = this.#ports.notifiers;
    const sender = delivery.settings.notifications.email;
    if (email === undefined || sender === undefined) return undefined;
    return () => {
      const { subject, text, html, locale } = this.#texts(contact, delivery);
      const message = { ...contextOf(delivery), from: sender.from, to: { address }, subject, text, html, locale };
      return callProvider(email.timeout, ({ signal }) =>
        email.send({ ...message, channel: 'EMAIL' }, attemptOf(delivery, signal)),
      );
    };
  }

  #texting(to: string, contact: CustomerContact, delivery: OtpDelivery): Way['send'] {
    const { sms } = this.#ports.notifiers;
    const sender = delivery.settings.notifications.sms;
    if (sms === undefined || sender === undefined) return undefined;
    return () => {
      const message = { ...contextOf(delivery), from: sender.from, to, text: this.#texts(contact, delivery).sms };
      return callProvider(sms.timeout, ({ signal }) =>
        sms.send({ ...message, channel: 'SMS' }, attemptOf(delivery, signal)),
      );
    };
  }

  #texts(contact: CustomerContact, { code, locale, settings }: OtpDelivery): ReturnType<MessageRenderer['otp']> {
    return this.#ports.renderer.otp({ code, locale: locale ?? contact.locale ?? settings.locale });
  }

  #failed(channel: OtpChannel | undefined, error: unknown): void {
    this.#ports.observer.observe({ type: 'otpFailed', channel, error });
  }
}

function contextOf({ organizationId, applicationId, challengeId }: OtpDelivery) {
  return { notificationId: challengeId, organizationId, applicationId, type: 'ONE_TIME_PASSWORD' } as const;
}

function attemptOf({ challengeId }: OtpDelivery, signal: AbortSignal): SendAttempt {
  return { idempotencyKey: challengeId, attempt: 1, signal };
}
