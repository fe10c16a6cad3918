import type { DeliveryReport } from '@calends/core/notifier';
import { isUint8Array } from 'node:util/types';
import { messageReport } from './message-report.js';
import { readReference, type ReceiptReference } from './receipt-reference.js';
import { isSigned } from './receipt-signature.js';

/** A call of the callback address, from whatever framework. */
export interface ReceiptCall {
  /**
   * The whole public address that the provider called, with scheme, host and the query as it came. Behind a proxy that
   * is not what the request says: put the public scheme and host before its path and query.
   */
  readonly url: string;
  /** As Node has them; letter case does not matter. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it came, unparsed. */
  readonly body: string | Uint8Array;
  /** The auth token of the account, or several while it is being changed. Never the secret of an API key. */
  readonly authTokens: string | readonly string[];
}

/** What a receipt says, and of which notification. */
export interface Receipt extends ReceiptReference {
  readonly report: DeliveryReport;
}

/** The call does not come from the provider: answer 403 and change nothing. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** The call comes from the provider and is no receipt of a message of this library: answer 400. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError';
}

/** A variable that is not set is no token. */
const isToken = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Checks and reads what the provider says of a message at the callback address.
 *
 * Receipts come late, twice and out of order, also before `send` has returned: anyone who records them lets a state only
 * move up in rank. The same receipt gives the same answer again; nothing is kept here.
 *
 * @throws {@link SignatureError} without a signature, or with a wrong one
 * @throws {@link ReceiptError} if the signature is right and the address or the body is not one of a receipt
 * @throws TypeError without an auth token
 */
export function readReceipt(call: ReceiptCall): Receipt {
  const given: unknown = call.authTokens;
  const authTokens: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (authTokens.length === 0 || !authTokens.every(isToken)) throw new TypeError('authTokens: must be given');
  const signature = headerOf(call, 'x-twilio-signature');
  if (signature === undefined) throw new SignatureError('The receipt is not signed.');
  // Parsers leave another value, or none, where they do not know the type that the caller claims.
  if (typeof call.body !== 'string' && !isUint8Array(call.body)) {
    throw new SignatureError('The body of the receipt is not handed over as it came, as text or bytes.');
  }
  const body = Buffer.from(call.body);
  if (!URL.canParse(call.url) || !isSigned({ url: call.url, body, signature }, authTokens)) {
    throw new SignatureError('The signature of the receipt is not right.');
  }
  const reference = readReference(call.url);
  if (reference === undefined) throw new ReceiptError('The address of the receipt names no notification.');
  const fields = fieldsOf(body.toString('utf8'), headerOf(call, 'content-type'));
  const report = messageReport({
    id: fields.get('MessageSid') ?? fields.get('SmsSid'),
    status: fields.get('MessageStatus') ?? fields.get('SmsStatus'),
    errorCode: fields.get('ErrorCode'),
  });
  if (report.providerStatus === undefined) throw new ReceiptError('The receipt has no status.');
  return { ...reference, report };
}

function headerOf({ headers }: ReceiptCall, name: string): string | undefined {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function fieldsOf(body: string, contentType: string | undefined): ReadonlyMap<string, unknown> {
  if (contentType?.startsWith('application/json') !== true) return new Map(new URLSearchParams(body));
  try {
    const json: unknown = JSON.parse(body);
    return new Map(typeof json === 'object' && json !== null ? Object.entries(json) : []);
  } catch {
    throw new ReceiptError('The receipt is not JSON.');
  }
}
