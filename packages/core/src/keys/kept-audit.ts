import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { NamedKey } from '../ports/store/keys.js';
import type { SecureRandom } from '../ports/random.js';
import type { KeyRing, SecretKey } from './key-ring.js';

const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

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
  const nonce = Buffer.from(secureRandom.bytes(nonceLength));
  const encrypting = createCipheriv(cipher, under.derive('kept-audit'), nonce).setAAD(Buffer.from(id));
  const encrypted = [encrypting.update(auditKey), encrypting.final()];
  return `${under.id}.${Buffer.concat([nonce, ...encrypted, encrypting.getAuthTag()]).toString('base64url')}`;
}

/** Id of the key under which an audit key is kept. */
export function keptUnder(kept: string): string {
  return kept.split('.', 1)[0] ?? '';
}

/** The audit key of a retired key; `undefined` where this process lacks the later key, or somebody changed the string. */
export function keptAuditKey({ id, keptAudit = '' }: NamedKey, keys: Pick<KeyRing, 'find'>): Uint8Array | undefined {
  const under = keys.find(keptUnder(keptAudit));
  const bytes = Buffer.from(keptAudit.slice((under?.id.length ?? 0) + 1), 'base64url');
  if (under === undefined || bytes.length <= nonceLength + tagLength) return undefined;
  const opening = createDecipheriv(cipher, under.derive('kept-audit'), bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  opening.setAAD(Buffer.from(id)).setAuthTag(bytes.subarray(-tagLength));
  try {
    return new Uint8Array(Buffer.concat([opening.update(bytes.subarray(nonceLength, -tagLength)), opening.final()]));
  } catch {
    return undefined;
  }
}
