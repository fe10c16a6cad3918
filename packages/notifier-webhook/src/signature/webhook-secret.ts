import { webhookKeyOf, webhookSecretBytes, webhookSecretPrefix } from '@calends/model';
import { randomBytes } from 'node:crypto';

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
  return webhookSecretPrefix + randomBytes(32).toString('base64');
}

/** What is wrong with the secrets of an endpoint, or `undefined`; never holds a part of one. */
export function secretFault(secret: WebhookSecret): string | undefined {
  const secrets = listed(secret);
  if (secrets.length === 0) return 'must be given';
  return secrets.every((each) => typeof each === 'string' && webhookKeyOf(each) !== undefined)
    ? undefined
    : `must be ${webhookSecretPrefix} and base64 of ${webhookSecretBytes.min} to ${webhookSecretBytes.max} bytes`;
}

/**
 * The keys of secrets, in their order.
 *
 * @throws TypeError for one that is malformed
 */
export function readKeys(secret: WebhookSecret): readonly Uint8Array[] {
  const fault = secretFault(secret);
  if (fault !== undefined) throw new TypeError(`secret: ${fault}`);
  return listed(secret).flatMap((each) => webhookKeyOf(each) ?? []);
}

/** Receivers in plain JavaScript, and variables that are not set, have no compiler that tells them. */
function listed(secret: WebhookSecret | undefined): readonly string[] {
  if (Array.isArray(secret)) return secret as readonly string[];
  return secret === undefined ? [] : [secret as string];
}
