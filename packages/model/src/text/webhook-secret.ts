/** Standard Webhooks, "Signature scheme": 192 to 512 bits. */
export const webhookSecretBytes = { min: 24, max: 64 } as const;

export const webhookSecretPrefix = 'whsec_';

/** The key of a web hook’s secret, `whsec_` and base64, read with the Buffer of Node; `undefined` for what is none. */
export function webhookKeyOf(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(webhookSecretPrefix)) return undefined;
  const text = secret.slice(webhookSecretPrefix.length);
  const key = Buffer.from(text, 'base64');
  // What is not base64 is skipped when it is read: only what comes back as it was is the key that the other side has.
  const isWhole = key.toString('base64') === text;
  return isWhole && key.length >= webhookSecretBytes.min && key.length <= webhookSecretBytes.max ? key : undefined;
}
