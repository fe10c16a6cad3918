import { wholeName } from '../../messages/plain-text.js';
import type { EmailMessage } from '../../ports/notifier.js';
import { customerChannel } from './channel.js';

const channel = 'EMAIL';

/** Mails to customers. */
export const email = customerChannel<EmailMessage>(channel, {
  notifierOf: (notifiers) => notifiers.email,
  // Another copy has the same Message-ID, and is recognized by it.
  mayResend: () => true,
  message: ({ context, from, to: address }, told, renderer) => {
    const name = wholeName(told.customer);
    const to = { name: name === '' ? undefined : name, address };
    return { ...context, channel, from, to, ...renderer.email({ ...told, organizerAddress: from }) };
  },
  otp: ({ context, from, to: address }, { subject, text, html, locale }) => {
    return { ...context, channel, from, to: { address }, subject, text, html, locale };
  },
});
