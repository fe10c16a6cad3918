import { reasons } from '../../domain/notifications/reasons.js';
import { wholeName } from '../../messages/plain-text.js';
import { type Channel, messageContext, openWith, toldCustomer } from './channel.js';

const channel = 'EMAIL';

/** Mails to customers. */
export const email: Channel = {
  refusal: (settings) => (settings.email === undefined ? reasons.channelOff : undefined),
  // Another copy has the same Message-ID, and is recognized by it.
  mayResend: () => true,
  open: (notifiers, means) =>
    openWith(channel, notifiers.email, async (subject, send) => {
      const { notification, customer, settings } = subject;
      const { email } = settings.notifications;
      if (email === undefined) return { refusal: reasons.channelOff };
      if (!customer?.primaryEmail) return { refusal: reasons.noAddress };
      const told = await toldCustomer(subject, customer, means);
      const rendered = means.renderer.email({ ...told, organizerAddress: email.from });
      const name = wholeName(customer);
      const to = { name: name === '' ? undefined : name, address: customer.primaryEmail };
      return { send: send({ ...messageContext(notification), channel, from: email.from, to, ...rendered }) };
    }),
  otp: ({ email: notifier }, { email: sender }) =>
    notifier &&
    sender && {
      timeout: notifier.timeout,
      send: ({ context, to, texts: { subject, text, html, locale } }, attempt) =>
        notifier.send(
          { ...context, channel, from: sender.from, to: { address: to }, subject, text, html, locale },
          attempt,
        ),
    },
};
