import { hkdfSync } from 'node:crypto';

/** Shortest secret that is accepted, in bytes. */
export const minSecretBytes = 32;

/** Fewer different bytes than this are a few keys pressed again and again: 32 random hex digits have 10 or more. */
const minDifferentBytes = 8;

/** The rule that a secret breaks, without its value; `undefined` for one that is good enough to start with. */
export function secretRuleBrokenBy(secret: unknown): string | undefined {
  const bytes = typeof secret === 'string' ? Buffer.from(secret) : secret;
  if (!(bytes instanceof Uint8Array) || bytes.byteLength < minSecretBytes) {
    return `must have at least ${String(minSecretBytes)} bytes`;
  }
  if (new Set(bytes).size >= minDifferentBytes) return undefined;
  return `must have at least ${String(minDifferentBytes)} different bytes; make it with a generator`;
}

/** What keys are derived for; one purpose never serves another. */
export type KeyPurpose =
  | 'access-token'
  | 'room-ticket'
  | 'customer-identity'
  | 'ticket-id'
  | 'manage-token'
  | 'customer-token'
  | 'one-time-password'
  | 'hold-token'
  | 'hold-owner'
  | 'kept-request'
  | 'sealed-text'
  | 'audit-chain'
  | 'kept-audit'
  | 'key-id'
  | 'key-check';

/** Derives the key of one purpose from the host's secret (HKDF, RFC 5869). */
export function deriveKey(secret: string | Uint8Array, purpose: KeyPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'calends', purpose, 32));
}
