import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The parts of a call that its signature covers. */
export interface SignedCall {
  /** As the provider called it. */
  readonly url: string;
  readonly body: Uint8Array;
  readonly signature: string;
}

/**
 * Tells whether the provider signed a call with one of the tokens.
 *
 * HMAC-SHA1 over the address and, sorted by name, each form parameter with its value, in base64; a call whose address
 * has `bodySHA256` is signed by its address only, which then holds the hash of the body. Compared in constant time.
 * Source: Twilio, "Webhooks security", as its own libraries check it, with and without the standard port.
 */
export function isSigned(call: SignedCall, authTokens: readonly string[]): boolean {
  const bodyHash = new URL(call.url).searchParams.get('bodySHA256');
  if (bodyHash !== null && !isEqual(bodyHash, createHash('sha256').update(call.body).digest('hex'))) return false;
  const parameters = bodyHash === null ? signedParameters(call.body) : '';
  const expected = authTokens.flatMap((token) =>
    spellings(call.url).map((url) => createHmac('sha1', token).update(`${url}${parameters}`).digest('base64')),
  );
  // All of them are compared, whichever fits.
  return expected.filter((each) => isEqual(each, call.signature)).length > 0;
}

/** Names in order of code units; of a repeated name each value once, in order too. */
function signedParameters(body: Uint8Array): string {
  const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
  const names = [...new Set(form.keys())].sort();
  return names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => `${name}${value}`)).join('');
}

/** The address as given, and once more without its port or with the standard one: providers sign either. */
function spellings(url: string): readonly string[] {
  const parts = /^(?<scheme>https?):\/\/(?<host>\[[^\]]+\]|[^/?#:@]+)(?<port>:\d+)?(?<rest>[/?].*)?$/.exec(url)?.groups;
  if (parts === undefined) return [url];
  const { scheme = '', host = '', port, rest = '' } = parts;
  const other = port === undefined ? (scheme === 'https' ? ':443' : ':80') : '';
  return [url, `${scheme}://${host}${other}${rest}`];
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
