import type { Instant, NotificationChannel } from '@calends/model';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { MessageContext, Notifier, Notifiers, SendAttempt } from '../../ports/notifier.js';
import type { Addressee, Notification } from '../../domain/notifications/notification.js';
import type {
  DeliveryReport,
  NotifierCapability,
  ProviderReference,
  SendResult,
} from '../../domain/notifications/provider-answers.js';
import {
  type MessageRenderer,
  type RenderedOtp,
  type RenderInput,
  showsLinks,
} from '../../messages/message-renderer.js';
import { reasons } from '../../domain/notifications/reasons.js';
import { channelFacts, type ContactChannel } from '../../settings/channels.js';
import type { CustomerLinks, LinkRequest, LinkSource } from '../../ports/link-source.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { NotificationSettings } from '../../settings/notification-settings.js';
import { dropRejectionsIn, fieldsOf, type MaybePromise } from '../../support/host-answers.js';
import { plainCopy } from '../../support/plain-copy.js';
import type { EndpointStates } from './endpoint-states.js';

/** A channel, whichever provider sends over it. */
export interface Channel {
  /** Why an application sends the addressee nothing over it; `undefined` when it does. */
  readonly refusal: (settings: NotificationSettings, addressee: Addressee) => string | undefined;
  /**
   * Tells whether another attempt may follow so many of which nobody knows how they ended, where the provider does not see
   * that it is the same.
   */
  readonly mayResend: (settings: NotificationSettings, unknown: number) => boolean;
  /** The channel with its provider; `undefined` = this process has none. */
  readonly open: (notifiers: Notifiers, means: ChannelMeans) => DeliveryChannel | undefined;
  /** Sends a one-time password; absent or `undefined` = this process or the application does not. */
  readonly otp?: (notifiers: Notifiers, settings: NotificationSettings) => OtpSender | undefined;
}

/** What messages are made with. */
export interface ChannelMeans {
  readonly renderer: MessageRenderer;
  readonly linkSource: LinkSource;
  /** False = nobody gives links before the room is open. */
  readonly linksAhead: boolean;
  readonly endpoints: EndpointStates;
}

/** A one-time password on its way to an address. */
export interface OtpMessage {
  readonly context: MessageContext;
  readonly to: string;
  readonly texts: RenderedOtp;
}

export type OtpSender = Pick<Notifier<OtpMessage>, 'timeout' | 'send'>;

/** What a message is made of. */
export interface Composable {
  readonly notification: Notification;
  readonly appointment: Appointment;
  readonly customer: CustomerProfile | undefined;
  readonly settings: ApplicationSettings;
  /** The body that was kept of an earlier attempt. */
  readonly body: string | undefined;
  readonly now: Instant;
}

/** A message ready to go. */
export interface ComposedMessage {
  readonly send: (attempt: SendAttempt) => Promise<SendResult>;
  /** Told how the attempt ended, apart from the provider's time: what it does changes nothing of the outcome. */
  readonly ended?: ((result: SendResult) => MaybePromise<void>) | undefined;
  /** What a further attempt sends too; absent = it is made again. */
  readonly body?: string | undefined;
}

/** One channel with its provider, whatever its messages look like. */
export interface DeliveryChannel {
  readonly channel: NotificationChannel;
  readonly capability: NotifierCapability;
  /** Milliseconds that a call of the provider may take. */
  readonly timeout: number;
  /** Makes the message, or tells why there is none. */
  compose(subject: Composable): MaybePromise<ComposedMessage | { readonly refusal: string }>;
  readonly fetchStatus?: ((reference: ProviderReference, signal: AbortSignal) => Promise<DeliveryReport>) | undefined;
  readonly lookUp?: ((key: string, signal: AbortSignal) => Promise<SendResult | undefined>) | undefined;
}

/** A channel over a notifier. */
export function openWith<Message>(
  channel: NotificationChannel,
  notifier: Notifier<Message> | undefined,
  compose: (subject: Composable, send: Send<Message>) => ReturnType<DeliveryChannel['compose']>,
): DeliveryChannel | undefined {
  if (notifier === undefined) return undefined;
  const { capability, timeout } = notifier;
  const send: Send<Message> = (message) => (attempt) => notifier.send(message, attempt);
  return {
    channel,
    capability,
    timeout,
    compose: (subject) => compose(subject, send),
    fetchStatus: notifier.fetchStatus?.bind(notifier),
    lookUp: notifier.lookUp?.bind(notifier),
  };
}

type Send<Message> = (message: Message) => ComposedMessage['send'];

/** What every message says of its notification. */
export function messageContext(notification: Notification): MessageContext {
  const { id, organizationId, applicationId, appointmentId, type } = notification;
  return { notificationId: id, organizationId, applicationId, appointmentId, type };
}

/** What every message to a customer has. */
interface Envelope {
  readonly context: MessageContext;
  /** As the application has it. */
  readonly from: string;
  readonly to: string;
}

/** What is its own of a channel to customers. */
interface OwnWays<Message> extends Pick<Channel, 'mayResend'> {
  readonly notifierOf: (notifiers: Notifiers) => Notifier<Message> | undefined;
  readonly message: (envelope: Envelope, told: RenderInput, renderer: MessageRenderer) => Message;
  /** Absent = no one-time passwords go over it. */
  readonly otp?: (envelope: Envelope, texts: RenderedOtp) => Message;
}

/** A channel over which an application writes to an address in a customer's profile. */
export function customerChannel<Message>(name: ContactChannel, own: OwnWays<Message>): Channel {
  const { key, address } = channelFacts[name];
  const { mayResend, notifierOf, message, otp } = own;
  return {
    mayResend,
    refusal: (settings) => (settings[key] === undefined ? reasons.channelOff : undefined),
    open: (notifiers, means) =>
      openWith(name, notifierOf(notifiers), async (subject, send) => {
        const { notification, customer, settings } = subject;
        const sender = settings.notifications[key];
        if (sender === undefined) return { refusal: reasons.channelOff };
        const to = customer?.[address.profile];
        if (!to) return { refusal: reasons.noAddress };
        const envelope = { context: messageContext(notification), from: sender.from, to };
        return { send: send(message(envelope, await toldTo(customer, subject, means), means.renderer)) };
      }),
    otp: (notifiers, settings) => {
      const notifier = notifierOf(notifiers);
      const sender = settings[key];
      if (otp === undefined || notifier === undefined || sender === undefined) return undefined;
      return {
        timeout: notifier.timeout,
        send: ({ context, to, texts }, attempt) =>
          notifier.send(otp({ context, from: sender.from, to }, texts), attempt),
      };
    },
  };
}

/** Links are made only where they are shown: of an appointment that was removed there is nothing left to open. */
async function toldTo(
  customer: CustomerProfile,
  { notification: { type, offset, addressee }, appointment }: Composable,
  { linkSource, linksAhead }: ChannelMeans,
): Promise<RenderInput> {
  const mayLink = showsLinks(type) && (linksAhead || appointment.state === 'ACTIVATED');
  // A copy: what the source writes into it must not stand in the message.
  const asked = (): LinkRequest => ({ appointment: plainCopy(appointment), participantId: addressee.id });
  const links = mayLink ? givenLinks(await linkSource.linksFor(asked())) : {};
  return { type, appointment, customer, offset, links };
}

/**
 * The links that a source gives: hosts need not compile against the types, and often say null for what is not there.
 *
 * @throws TypeError for links that are no texts: they would be written into the message
 */
function givenLinks(answer: unknown): CustomerLinks {
  const { page, join, manage } = fieldsOf(answer ?? {});
  const given = Object.entries({ page, join, manage }).filter(([, link]) => (link ?? undefined) !== undefined);
  const isObject = typeof (answer ?? {}) === 'object';
  if (isObject && given.every(([, link]) => typeof link === 'string')) return Object.fromEntries(given);
  dropRejectionsIn(answer);
  throw new TypeError('linkSource: linksFor must answer { page, join, manage }, each a text where it is there');
}
