import { randomBytes } from 'node:crypto';

const prefix = 'whsec_';
/** Standard Webhooks, "Signature scheme": 192 to 512 bits. */
const keyBytes = { least: 24, most: 64, made: 32 };

/** One secret, or several while it is being rotated. */
export type WebhookSecret = string | readonly string[];

/**
 * Makes a secret for an endpoint: `whsec_` and 32 random bytes in base64.
 *
 * @example
 * ```ts
 * import { generateWebhookSecret } from '@calends/notifier-webhook';
 *
 * console.log(generateWebhookSecret()); // whsec_…
 * ```
 */
export function generateWebhookSecret(): string {
  return prefix + randomBytes(keyBytes.made).toString('base64');
}

/** What is wrong with the secrets of an endpoint, or `undefined`; never holds a part of one. */
export function secretFault(secret: WebhookSecret): string | undefined {
  const secrets = listed(secret);
  if (secrets.length === 0) return 'must be given';
  return secrets.every((each) => keyOf(each) !== undefined)
    ? undefined
    : `must be ${prefix} and base64 of ${keyBytes.least} to ${keyBytes.most} bytes`;
}

/**
 * The keys of secrets, in their order.
 *
 * @throws TypeError for one that is malformed
 */
export function readKeys(secret: WebhookSecret): readonly Buffer[] {
  const fault = secretFault(secret);
  if (fault !== undefined) throw new TypeError(`secret: ${fault}`);
  return listed(secret).flatMap((each) => keyOf(each) ?? []);
}

function listed(secret: WebhookSecret): readonly string[] {
  return typeof secret === 'string' ? [secret] : secret;
}

function keyOf(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix)) return undefined;
  const text = secret.slice(prefix.length);
  const key = Buffer.from(text, 'base64');
  // Node skips what is not base64: only what comes back as it was is the key that the other side has.
  const isWhole = key.toString('base64') === text;
  return isWhole && key.byteLength >= keyBytes.least && key.byteLength <= keyBytes.most ? key : undefined;
}
