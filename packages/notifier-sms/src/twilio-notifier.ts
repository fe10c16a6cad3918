import type { DeliveryReport, Notifier, ProviderReference, SendResult, SmsMessage } from '@calends/core/notifier';
import { describeErrorCode, isPassing, readErrorCode } from './error-codes.js';
import { callHttp, type HttpAnswer } from './http-call.js';
import { messageReport } from './message-report.js';
import { callbackAddress } from './receipt-reference.js';
import { smsLength } from './sms-length.js';
import { type TwilioOptions, type TwilioSettings, twilioSettings } from './twilio-options.js';

/**
 * Sends text messages over the HTTP API of Twilio, or of a provider that speaks it.
 *
 * `POST {baseUrl}/2010-04-01/Accounts/{sid}/Messages.json`, one message a call; `fetchStatus` asks for it again. The API
 * has no idempotency key, so the capability is `none`: a request that left and got no answer is an unknown outcome.
 * `send` does not throw; `fetchStatus` throws an error without personal data when the provider cannot tell. Calls may
 * overlap; there is nothing to close.
 *
 * @throws TypeError that lists every fault of the options
 */
export function twilioNotifier(options: TwilioOptions): Notifier<SmsMessage> {
  const settings = twilioSettings(options);
  const { messages, timeout, longest } = settings;
  const headers = { authorization: settings.authorization, accept: 'application/json' };
  return {
    capability: 'none',
    timeout,
    async send(message, { signal }) {
      const fault = textFault(message.text, longest);
      if (fault !== undefined) return { status: 'failed', permanent: true, error: fault };
      const body = formOf(message, settings).toString();
      const posting = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      const call = { method: 'POST', url: new URL(`${messages}.json`), headers: posting, body, timeout } as const;
      return sendResult(await callHttp(call, signal));
    },
    async fetchStatus({ messageId }: ProviderReference, signal) {
      if (messageId === undefined) throw new Error('There is no message id to ask the provider for.');
      const url = new URL(`${messages}/${encodeURIComponent(messageId)}.json`);
      return polledReport(await callHttp({ method: 'GET', url, headers, timeout }, signal));
    },
  };
}

function textFault(text: string, longest: number): string | undefined {
  const { segments, encoding } = smsLength(text);
  if (segments === 0) return 'The text is empty.';
  return segments > longest
    ? `The text takes ${String(segments)} segments (${encoding}); ${String(longest)} are allowed.`
    : undefined;
}

function formOf(message: SmsMessage, settings: TwilioSettings): URLSearchParams {
  const { to, from, text, organizationId, notificationId } = message;
  const { messagingServiceSid, statusCallback } = settings;
  // An application may name a messaging service as its sender.
  const service = messagingServiceSid ?? (/^MG[0-9a-f]{32}$/i.test(from) ? from : undefined);
  return new URLSearchParams({
    To: to,
    ...(service === undefined ? { From: from } : { MessagingServiceSid: service }),
    Body: text,
    ...(statusCallback === undefined
      ? {}
      : { StatusCallback: callbackAddress(statusCallback, { organizationId, notificationId }) }),
  });
}

function sendResult(ended: HttpAnswer): SendResult {
  if (ended.outcome === 'unsent') {
    return { status: 'failed', permanent: false, error: `The provider cannot be reached (${ended.reason}).` };
  }
  if (ended.outcome === 'unanswered') {
    return { status: 'unknown', error: `The provider did not answer (${ended.reason}).` };
  }
  return ended.status >= 200 && ended.status < 300 ? takenResult(ended) : refusedResult(ended);
}

type Answered = Extract<HttpAnswer, { outcome: 'answered' }>;

function takenResult(answered: Answered): SendResult {
  const { state, error, ...reference } = reportOf(answered.body);
  if (reference.messageId === undefined) {
    return { status: 'unknown', error: `The provider answered ${String(answered.status)} without a message id.` };
  }
  switch (state) {
    case 'delivered':
      return { status: 'delivered', ...reference };
    case 'failed':
      return { status: 'failed', permanent: true, error: error ?? 'The message was not delivered.', ...reference };
    case 'cancelled':
      return { status: 'failed', permanent: true, error: 'The provider cancelled the message.', ...reference };
    case 'pending':
    case 'sent':
      return { status: 'submitted', ...reference };
  }
}

/** A refusal says that nothing was sent; only 504 does not: a gateway waited for an answer that did not come. */
function refusedResult(answered: Answered): SendResult {
  const { status, retryAfter } = answered;
  if (status === 504) return { status: 'unknown', error: 'The provider did not answer (HTTP 504).' };
  // 401 and 403 are permanent (D54): wrong credentials stay wrong, and staff see them at once instead of after the last
  // attempt; when they are right again, the messages can be retried by hand.
  const isTransient = [408, 425, 429].includes(status) || status >= 500 || isPassing(codeOf(answered));
  return {
    status: 'failed',
    permanent: !isTransient,
    error: `The provider refused the message (${described(answered)}).`,
    ...(isTransient && retryAfter !== undefined ? { retryAfter } : {}),
  };
}

function polledReport(ended: HttpAnswer): DeliveryReport {
  if (ended.outcome !== 'answered') throw new Error(`The provider did not answer (${ended.reason}).`);
  const report = ended.status === 200 ? reportOf(ended.body) : undefined;
  if (report === undefined) throw new Error(`The provider does not tell the status (${described(ended)}).`);
  if (report.providerStatus === undefined) throw new Error('The provider answered without a status.');
  return report;
}

function reportOf(body: unknown): DeliveryReport {
  const { sid, status, error_code: errorCode } = fieldsOf(body);
  return messageReport({ id: sid, status, errorCode });
}

function described(answered: Answered): string {
  const code = describeErrorCode(codeOf(answered));
  return `HTTP ${String(answered.status)}${code === undefined ? '' : `, ${code}`}`;
}

function codeOf({ body }: Answered): number | undefined {
  return readErrorCode(fieldsOf(body)['code']);
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}
