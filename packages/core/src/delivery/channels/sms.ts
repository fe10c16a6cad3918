import { reasons } from '../../domain/notifications/reasons.js';
import { type Channel, messageContext, openWith, toldCustomer } from './channel.js';

const channel = 'SMS';

/** Text messages to customers. */
export const sms: Channel = {
  refusal: (settings) => (settings.sms === undefined ? reasons.channelOff : undefined),
  // Nobody recognizes a second copy: it goes out once more at most, or waits for a hand, as the application has it.
  mayResend: (settings, unknown) => settings.sms?.unknownOutcome !== 'hold' && unknown <= 1,
  open: (notifiers, means) =>
    openWith(channel, notifiers.sms, async (subject, send) => {
      const { notification, customer, settings } = subject;
      const { sms } = settings.notifications;
      if (sms === undefined) return { refusal: reasons.channelOff };
      if (!customer?.primaryPhone) return { refusal: reasons.noAddress };
      const { text } = means.renderer.sms(await toldCustomer(subject, customer, means));
      return {
        send: send({ ...messageContext(notification), channel, from: sms.from, to: customer.primaryPhone, text }),
      };
    }),
  otp: ({ sms: notifier }, { sms: sender }) =>
    notifier &&
    sender && {
      timeout: notifier.timeout,
      send: ({ context, to, texts }, attempt) =>
        notifier.send({ ...context, channel, from: sender.from, to, text: texts.sms }, attempt),
    },
};
