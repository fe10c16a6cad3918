import type { LinkSource } from '../ports/link-source.js';
import type { Notifier } from '../ports/notifier.js';
import type { EmailMessage, SmsMessage } from '../domain/notifications/messages.js';
import { reasons } from '../domain/notifications/reasons.js';
import { type MessageRenderer, showsLinks } from '../messages/message-renderer.js';
import { wholeName } from '../messages/plain-text.js';
import { type Composable, type DeliveryChannel, messageContext } from './delivery-channel.js';

/** What messages to customers are made with. */
export interface CustomerTexts {
  readonly renderer: MessageRenderer;
  readonly linkSource: LinkSource;
}

/** Mails to customers. */
export function emailChannel(notifier: Notifier<EmailMessage>, texts: CustomerTexts): DeliveryChannel {
  return {
    ...providerOf(notifier),
    channel: 'EMAIL',
    compose: async (subject) => {
      const { notification, appointment, customer, settings } = subject;
      const { email } = settings.notifications;
      if (email === undefined) return { refusal: reasons.channelOff };
      if (!customer?.primaryEmail) return { refusal: reasons.noAddress };
      const rendered = texts.renderer.email({
        type: notification.type,
        appointment,
        customer,
        offset: notification.offset,
        links: await linksFor(texts, subject),
        organizerAddress: email.from,
      });
      const name = wholeName(customer);
      const message: EmailMessage = {
        ...messageContext(notification),
        channel: 'EMAIL',
        from: email.from,
        to: { name: name === '' ? undefined : name, address: customer.primaryEmail },
        ...rendered,
      };
      return { send: (attempt) => notifier.send(message, attempt) };
    },
  };
}

/** Text messages to customers. */
export function smsChannel(notifier: Notifier<SmsMessage>, texts: CustomerTexts): DeliveryChannel {
  return {
    ...providerOf(notifier),
    channel: 'SMS',
    compose: async (subject) => {
      const { notification, appointment, customer, settings } = subject;
      const { sms } = settings.notifications;
      if (sms === undefined) return { refusal: reasons.channelOff };
      if (!customer?.primaryPhone) return { refusal: reasons.noAddress };
      const { text } = texts.renderer.sms({
        type: notification.type,
        appointment,
        customer,
        offset: notification.offset,
        links: await linksFor(texts, subject),
      });
      const message: SmsMessage = {
        ...messageContext(notification),
        channel: 'SMS',
        from: sms.from,
        to: customer.primaryPhone,
        text,
      };
      return { send: (attempt) => notifier.send(message, attempt) };
    },
  };
}

/** None are made that nothing shows: of an appointment that was removed there is nothing left to open. */
function linksFor({ linkSource }: CustomerTexts, { appointment, notification: { addressee, type } }: Composable) {
  return showsLinks(type) ? linkSource.linksFor({ appointment, participantId: addressee.id }) : {};
}

/** What a channel takes over from its notifier. */
export function providerOf<Message>(
  notifier: Notifier<Message>,
): Pick<DeliveryChannel, 'capability' | 'timeout' | 'fetchStatus' | 'lookUp'> {
  const { capability, timeout } = notifier;
  return {
    capability,
    timeout,
    fetchStatus: notifier.fetchStatus?.bind(notifier),
    lookUp: notifier.lookUp?.bind(notifier),
  };
}
