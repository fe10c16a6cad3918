import type { SmsMessage } from '../../ports/notifier.js';
import { customerChannel } from './channel.js';

const channel = 'SMS';

/** Text messages to customers. */
export const sms = customerChannel<SmsMessage>(channel, {
  notifierOf: (notifiers) => notifiers.sms,
  // Nobody recognizes a second copy: it goes out once more at most, or waits for a hand, as the application has it.
  mayResend: (settings, unknown) => settings.sms?.unknownOutcome !== 'hold' && unknown <= 1,
  message: ({ context, ...way }, told, renderer) => ({ ...context, channel, ...way, text: renderer.sms(told).text }),
  otp: ({ context, ...way }, texts) => ({ ...context, channel, ...way, text: texts.sms }),
});
