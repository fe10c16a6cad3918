import type { TwilioOptions } from '@calends/notifier-sms';
import type { Environment } from '../configuration/environment.js';

/** Where the server takes receipts of SMS, below its public address. */
export const smsCallbackPath = '/callbacks/sms';

/** The address that an SMS provider calls, and what its calls are signed with. */
export interface SmsCallback {
  /** Without a query. */
  readonly address: string;
  readonly authToken: string;
}

/**
 * The options of the SMS notifier with the server's own address for receipts, unless `CALENDS_SMS_URL` names one.
 *
 * Without a public address that the provider could call, and with an API key, whose secret signs nothing, there is none:
 * the provider is polled.
 */
export function withSmsCallback({ sms, publicUrl }: Pick<Environment, 'sms' | 'publicUrl'>): TwilioOptions | undefined {
  if (sms === undefined || sms.statusCallback !== undefined) return sms;
  if (sms.authToken === undefined || publicUrl === undefined || !mayBeCalled(publicUrl)) return sms;
  return { ...sms, statusCallback: `${publicUrl}${smsCallbackPath}` };
}

/** What a receipt is checked against; `undefined` where none can come. */
export function smsCallbackOf(sms: TwilioOptions | undefined): SmsCallback | undefined {
  if (sms?.statusCallback === undefined || sms.authToken === undefined) return undefined;
  const [address = ''] = sms.statusCallback.split('?');
  return { address, authToken: sms.authToken };
}

/** As the notifier has it: https, or http on a loopback address. */
function mayBeCalled(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
