import type { CustomerProfile } from '../../domain/customers/profile.js';
import { reasons } from '../../domain/notifications/reasons.js';
import {
  type MessageRenderer,
  type RenderedOtp,
  type RenderInput,
  showsLinks,
} from '../../messages/message-renderer.js';
import type { MessageContext, Notifier, Notifiers } from '../../ports/notifier.js';
import { channelFacts, type ContactChannel } from '../../settings/channels.js';
import { type Channel, type ChannelMeans, type Composable, messageContext, openWith } from './channel.js';

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
  { linkSource }: ChannelMeans,
): Promise<RenderInput> {
  const links = showsLinks(type) ? await linkSource.linksFor({ appointment, participantId: addressee.id }) : {};
  return { type, appointment, customer, offset, links };
}
