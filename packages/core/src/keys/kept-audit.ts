import type { NamedKey } from '../ports/store/keys.js';
import type { SecureRandom } from '../ports/random.js';
import { decrypted, encrypted } from './encrypted.js';
import type { KeyRing, SecretKey } from './key-ring.js';

/**
 * Encrypts the audit key of a key that is retired under a later one, bound to its id: what it sealed can be verified for
 * ever, and its secret need not be listed (D67). The string begins with the id of the later key.
 */
export function keepAudit(
  id: string,
  auditKey: Uint8Array,
  under: SecretKey,
  secureRandom: Pick<SecureRandom, 'bytes'>,
): string {
  return `${under.id}.${encrypted(auditKey, under.derive('kept-audit'), id, secureRandom)}`;
}

/** Id of the key under which an audit key is kept. */
export function keptUnder(kept: string): string {
  return kept.split('.', 1)[0] ?? '';
}

/** The audit key of a retired key; `undefined` where this process lacks the later key, or somebody changed the string. */
export function keptAuditKey({ id, keptAudit = '' }: NamedKey, keys: Pick<KeyRing, 'find'>): Uint8Array | undefined {
  const under = keys.find(keptUnder(keptAudit));
  return under && decrypted(keptAudit.slice(under.id.length + 1), under.derive('kept-audit'), id);
}
