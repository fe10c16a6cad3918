import type { SigningKey } from '../support/signed-token.js';
import { keyIdOf, listedSecrets, type Secrets } from '../keys/key-ring.js';
import { fieldsOf } from '../support/host-answers.js';

/** Two keys, so that one can be rotated in while the other still verifies. */
export const maxSigningKeys = 2;

const keyId = /^[A-Za-z0-9_-]{1,32}$/;

/** The keys that sign: the host's, else one derived from each of its secrets. */
export function signingKeysOf(secrets: Secrets, keys: readonly SigningKey[] | undefined): readonly SigningKey[] {
  return keys ?? listedSecrets(secrets).map((secret) => ({ id: keyIdOf(secret), secret }));
}

/** What is wrong with signing keys, without their values. */
export function signingKeyFaults(keys: unknown, minBytes: number): readonly string[] {
  if (keys === undefined) return [];
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > maxSigningKeys) {
    return [`signingKeys: must be a list of one or ${String(maxSigningKeys)} keys`];
  }
  const faults = keys.flatMap((key: unknown, index) => keyFaults(`signingKeys.${String(index)}`, key, minBytes));
  if (faults.length > 0) return faults;
  const ids = new Set((keys as readonly SigningKey[]).map(({ id }) => id));
  return ids.size < keys.length ? ['signingKeys: must have different ids'] : [];
}

function keyFaults(at: string, key: unknown, minBytes: number): readonly string[] {
  if (typeof key !== 'object' || key === null) return [`${at}: must have id and secret`];
  const { id, secret } = fieldsOf(key);
  const faults: string[] = [];
  if (typeof id !== 'string' || !keyId.test(id)) faults.push(`${at}.id: must be 1 to 32 of A-Z, a-z, 0-9, - and _`);
  if (bytesIn(secret) < minBytes) faults.push(`${at}.secret: must have at least ${String(minBytes)} bytes`);
  return faults;
}

function bytesIn(secret: unknown): number {
  if (typeof secret === 'string') return Buffer.byteLength(secret);
  return secret instanceof Uint8Array ? secret.byteLength : 0;
}
