/**
 * Sends the notifications of Calends as text messages over a Twilio-compatible HTTP API.
 *
 * @packageDocumentation
 */
export { readReceipt, type Receipt, type ReceiptCall, ReceiptError, SignatureError } from './read-receipt.js';
export type { ReceiptReference } from './receipt-reference.js';
export { type SmsLength, smsLength } from './sms-length.js';
export { twilioNotifier } from './twilio-notifier.js';
export { type TwilioOptions, twilioOptionsFromUrl } from './twilio-options.js';
