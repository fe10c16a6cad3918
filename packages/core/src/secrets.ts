import { hkdfSync } from 'node:crypto';

/** Shortest secret that is accepted, in bytes. */
export const shortestSecret = 32;

/** What keys are derived for; one purpose never serves another. */
export type KeyPurpose =
  | 'access-token'
  | 'room-ticket'
  | 'customer-identity'
  | 'ticket-id'
  | 'manage-token'
  | 'customer-token'
  | 'one-time-password'
  | 'audit-chain'
  | 'key-id';

/** Derives the key of one purpose from the host's secret (HKDF, RFC 5869). */
export function deriveKey(secret: string | Uint8Array, purpose: KeyPurpose): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, 'calends', purpose, 32));
}
