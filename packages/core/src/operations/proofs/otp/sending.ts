import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { FairSlots } from '../../../limiting/fair-slots.js';
import { dropRejectionsIn, fieldsOf } from '../../../support/host-answers.js';
import { channels } from '../../../delivery/channels/channels.js';
import { attemptOf, callProvider } from '../../../delivery/call-provider.js';
import { readSendResult } from '../../../delivery/read-answer.js';
import type { MessageRenderer } from '../../../messages/message-renderer.js';
import type { CustomerContact, CustomerQuery } from '../../../ports/customer-directory.js';
import type { SendResult } from '../../../domain/notifications/provider-answers.js';
import type { Ports } from '../../../ports/ports.js';
import { channelFacts, type ContactChannel, contactChannels } from '../../../settings/channels.js';
import type { ApplicationSettings } from '../../../settings/application-settings.js';
import { addressIn } from './codes.js';

/** A code that was made for a user name, known or not. */
export interface OtpDelivery extends CustomerQuery {
  readonly challengeId: string;
  readonly code: string;
  /** As asked for; default the customer's, else the application's. */
  readonly locale: string | undefined;
  readonly settings: ApplicationSettings;
  /** Keeps where the code goes, before it is sent; for a plain user name only (D62). */
  readonly note: (address: string) => Promise<void>;
  /** Called where the code reached nobody, for certain: then it does not count (D66). */
  readonly takeBack: () => Promise<void>;
}

/** A code that waits for its turn. */
interface WaitingDelivery extends OtpDelivery {
  readonly context: AsyncResource;
}

interface OtpSendingPorts extends Pick<Ports, 'notifiers' | 'customerDirectory' | 'observer'> {
  readonly renderer: MessageRenderer;
}

/** Codes that are being sent at a time, and those that wait for it besides; both shared between organizations. */
const slots = 100;
const places = 1000;

/** A way to a customer, as far as this process can go it. */
interface Way {
  readonly channel: ContactChannel;
  readonly address: string;
  /** `undefined` = this process or the application sends nothing over the channel. */
  readonly send: (() => Promise<SendResult>) | undefined;
}

/**
 * Sends codes in the background: what tells known customers from unknown ones happens after the answer to the request.
 *
 * One attempt each: a code that is late is of no use, and the customer can ask again. An organization whose provider is
 * slow keeps the others waiting for nothing: no one has all slots, and who has the fewest under way is next (D66).
 */
export class OtpSending {
  readonly #ports: OtpSendingPorts;
  readonly #slots = new FairSlots(slots);
  readonly #places = new FairSlots(places);
  readonly #waiting = new Map<string, WaitingDelivery[]>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(ports: OtpSendingPorts) {
    this.#ports = ports;
  }

  /** Whether this process can send codes of an application at all; told where it cannot. */
  canSend({ notifications }: ApplicationSettings): boolean {
    const { notifiers } = this.#ports;
    const can = contactChannels.some((channel) => channels[channel].otp?.(notifiers, notifications) !== undefined);
    if (!can) this.#failed(undefined, new Error('The application sends no one-time passwords.'));
    return can;
  }

  /** Takes a place for a code before it is made; false where too many wait already. */
  reserve(organizationId: string): boolean {
    const taken = this.#places.take(organizationId);
    if (!taken) this.#failed(undefined, new Error('Too many one-time passwords wait to be sent.'));
    return taken;
  }

  /** Gives a place back that no code was made for. */
  giveBack(organizationId: string): void {
    this.#places.free(organizationId);
  }

  /** Takes a code on that has a place. Returns at once, and does nothing else before the caller goes on. */
  begin(delivery: OtpDelivery): void {
    const { organizationId } = delivery;
    // Its turn may come at the end of another one: what it does then belongs to the request that asked for it.
    const own = { ...delivery, context: new AsyncResource('calends') };
    this.#waiting.set(organizationId, [...(this.#waiting.get(organizationId) ?? []), own]);
    this.#goOn();
  }

  /** Waits for what is under way; what has not begun is taken back. */
  async settled(): Promise<void> {
    const dropped = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { organizationId } of dropped) this.#places.free(organizationId);
    await Promise.all([...this.#underWay, ...dropped.map((delivery) => this.#takeBack(delivery))]);
  }

  /** Begins as many as there are slots for. */
  #goOn(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const { organizationId, context } = next;
      const begun = next;
      const sending = context
        .runInAsyncScope(() => this.#deliver(begun))
        .finally(() => {
          this.#underWay.delete(sending);
          this.#slots.free(organizationId);
          this.#places.free(organizationId);
          this.#goOn();
        });
      this.#underWay.add(sending);
    }
  }

  /** The oldest code of the organization that has the fewest under way, if it may have another slot. */
  #next(): WaitingDelivery | undefined {
    const inTurn = [...this.#waiting.keys()].sort((one, other) => this.#slots.heldBy(one) - this.#slots.heldBy(other));
    const turn = inTurn.find((organizationId) => this.#slots.take(organizationId));
    if (turn === undefined) return undefined;
    const [first, ...rest] = this.#waiting.get(turn) ?? [];
    if (rest.length === 0) this.#waiting.delete(turn);
    else this.#waiting.set(turn, rest);
    return first;
  }

  async #deliver(delivery: OtpDelivery): Promise<void> {
    await setImmediate();
    let way: Way | undefined;
    try {
      const contact = await this.#contactOf(delivery);
      way = contact && this.#wayTo(contact, delivery);
      // Also for a name that nobody knows: what is written must not tell.
      if (!isAddress(delivery.username)) await delivery.note(way?.address ?? '');
      if (way === undefined) return;
      if (way.send === undefined) throw new Error('There is no sender for the channel.');
      const result = await way.send();
      if (result.status === 'failed') await this.#takeBack(delivery);
      if (result.status === 'failed' || result.status === 'unknown') throw new Error(result.error);
    } catch (error) {
      this.#failed(way?.channel, error);
    }
  }

  /** An address is its own contact; everything else is for the host's directory. */
  async #contactOf({ organizationId, applicationId, username }: OtpDelivery): Promise<CustomerContact | undefined> {
    if (isAddress(username)) return addressIn(username);
    const found = await this.#ports.customerDirectory?.contactOf({ organizationId, applicationId, username });
    return found && this.#addressesOf(found);
  }

  /** The addresses that the directory of the host knows, as those of customers are written; what is none goes to no provider. */
  #addressesOf(found: CustomerContact): CustomerContact {
    const { email, phone, locale } = fieldsOf(found);
    if (typeof found !== 'object' || Array.isArray(found)) {
      this.#failed(undefined, new TypeError('customerDirectory: contactOf must answer a contact, or undefined'));
    }
    dropRejectionsIn(found);
    const given = { email, phone };
    const read = { email: readAddress(email).email, phone: readAddress(phone).phone };
    for (const name of ['email', 'phone'] as const) {
      if (given[name] && read[name] === undefined) {
        this.#failed(undefined, new Error(`The directory of the host answered a contact whose ${name} is none.`));
      }
    }
    return { ...read, locale: typeof locale === 'string' ? locale : undefined };
  }

  /** The first channel that the customer has an address for, one that sends before one that does not; none without an address. */
  #wayTo(contact: CustomerContact, delivery: OtpDelivery): Way | undefined {
    const ways = contactChannels.flatMap((channel): readonly Way[] => {
      const address = contact[channelFacts[channel].address.contact];
      return address ? [{ channel, address, send: this.#sendingOver(channel, address, contact, delivery) }] : [];
    });
    return ways.find(({ send }) => send !== undefined) ?? ways[0];
  }

  #sendingOver(channel: ContactChannel, to: string, contact: CustomerContact, delivery: OtpDelivery): Way['send'] {
    const { notifiers, renderer } = this.#ports;
    const { code, locale, settings } = delivery;
    const sender = channels[channel].otp?.(notifiers, settings.notifications);
    if (sender === undefined) return undefined;
    return async () => {
      const texts = renderer.otp({ code, locale: locale ?? contact.locale ?? settings.locale });
      const message = { context: contextOf(delivery), to, texts };
      const answer = await callProvider(sender.timeout, (deadline) =>
        sender.send(message, attemptOf(delivery.challengeId, 1, deadline)),
      );
      return readSendResult(answer);
    };
  }

  /** Where it cannot be written, the code counts: limits fail closed. */
  async #takeBack({ takeBack }: OtpDelivery): Promise<void> {
    try {
      await takeBack();
    } catch (error) {
      this.#failed(undefined, error);
    }
  }

  #failed(channel: ContactChannel | undefined, error: unknown): void {
    this.#ports.observer.observe({ type: 'otpFailed', channel, error });
  }
}

/** A host in plain JavaScript answers anything. */
function readAddress(given: unknown): CustomerContact {
  return typeof given === 'string' ? addressIn(given) : {};
}

function isAddress(username: string): boolean {
  const { email, phone } = addressIn(username);
  return email !== undefined || phone !== undefined;
}

function contextOf({ organizationId, applicationId, challengeId }: OtpDelivery) {
  return { notificationId: challengeId, organizationId, applicationId, type: 'ONE_TIME_PASSWORD' } as const;
}
