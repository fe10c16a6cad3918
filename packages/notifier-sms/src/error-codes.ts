/**
 * Codes of the provider that staff can act on, in words of our own: the provider's texts repeat the number.
 *
 * Both those of refused requests (2….) and those of messages that were taken and not delivered (3….).
 */
const meanings: ReadonlyMap<number, string> = new Map([
  [14107, 'too many messages in a short time'],
  [20003, 'the account or its secret is wrong'],
  [20404, 'the provider does not know the account or the message'],
  [20429, 'too many requests'],
  [21211, 'the number of the recipient is not valid'],
  [21212, 'the sender is not valid'],
  [21408, 'the account may not send to this country'],
  [21602, 'the text is empty'],
  [21603, 'there is no sender'],
  [21606, 'the sender is not a number of the account that can send text messages'],
  [21608, 'a trial account sends to verified numbers only'],
  [21610, 'the recipient has unsubscribed'],
  [21611, 'too many messages of this sender are waiting'],
  [21612, 'the recipient cannot be reached from this sender'],
  [21614, 'the number of the recipient is not a mobile number'],
  [21617, 'the text is too long for the provider'],
  [21703, 'the messaging service has no sender'],
  [30001, 'the queue of the provider overflowed'],
  [30002, 'the account is suspended'],
  [30003, 'the handset cannot be reached'],
  [30004, 'the recipient or the carrier blocks the message'],
  [30005, 'the number of the recipient is unknown'],
  [30006, 'a landline, or a carrier that cannot be reached'],
  [30007, 'filtered by the carrier'],
  [30008, 'no reason given'],
  [30034, 'the sender is not registered with the carriers'],
]);

/** Codes that come with 400 although another attempt can help. */
const passing: ReadonlySet<number> = new Set([14107, 21611]);

/** A code as the provider writes it in JSON (a number) or in a form (its digits); anything else is none. */
export function readErrorCode(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}

/** `code 21211: the number …`, or the bare code, or nothing. */
export function describeErrorCode(code: number | undefined): string | undefined {
  if (code === undefined) return undefined;
  const meaning = meanings.get(code);
  return meaning === undefined ? `code ${String(code)}` : `code ${String(code)}: ${meaning}`;
}

/** Tells whether a refusal with this code passes by itself. */
export function isPassing(code: number | undefined): boolean {
  return code !== undefined && passing.has(code);
}
