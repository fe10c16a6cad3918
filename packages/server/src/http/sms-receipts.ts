import type { ErrorCode, Scheduling } from '@calends/core';
import { ReceiptError, readReceipt, SignatureError } from '@calends/notifier-sms';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { SmsCallback } from '../notifiers/sms-callback.js';
import { refuse, statusOf } from './last-resort.js';

/** Bytes; a receipt has a few hundred. */
const maxReceiptBytes = 16 * 1024;
const noReceipt = 'This is no receipt of a message.';

/**
 * Takes what the SMS provider reports of its messages: 204, also for a notification that is gone, since the provider would
 * only send the same again. 403 for a wrong signature, 400 for what is no receipt, 413 for what is too large.
 */
export function smsReceipts(
  notifications: Pick<Scheduling['notifications'], 'receive'>,
  { address, authToken }: SmsCallback,
): readonly (RequestHandler | ErrorRequestHandler)[] {
  const receive: RequestHandler = async (request, response) => {
    // Behind a proxy the request does not know the address that was signed; only its query is taken from it.
    const query = request.originalUrl.indexOf('?');
    const url = query < 0 ? address : `${address}${request.originalUrl.slice(query)}`;
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    try {
      await notifications.receive(readReceipt({ url, headers: request.headers, body, authTokens: authToken }));
      response.status(204).end();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      refuse(response, ...refusal);
    }
  };
  // Express tells this kind by its four parameters.
  const unread: ErrorRequestHandler = (fault: unknown, _request, response, next) => {
    const status = statusOf(fault);
    if (status === 413) refuse(response, 'payload_too_large', 'A receipt has at most 16 KiB.');
    else if (status >= 400 && status < 500) refuse(response, 'validation_failed', noReceipt);
    else next(fault);
  };
  return [express.raw({ type: () => true, limit: maxReceiptBytes }), unread, receive];
}

function refusalOf(error: unknown): readonly [ErrorCode, string] | undefined {
  if (error instanceof SignatureError) return ['forbidden', 'The receipt is not signed as it must be.'];
  if (error instanceof ReceiptError) return ['validation_failed', noReceipt];
  return undefined;
}
