import { createHash } from 'node:crypto';
import { deriveKey, type KeyPurpose } from '../support/secrets.js';

/** The host's secret, or several of them while one takes the place of another: the first signs, all verify (D67). */
export type Secrets = string | Uint8Array | readonly (string | Uint8Array)[];

/** One of the host's secrets, and what others may know of it. */
export interface SecretKey {
  /** Tells which secret it is, and nothing of it: 8 characters of base64url. */
  readonly id: string;
  /** What the store keeps to tell one secret from every other. */
  readonly check: string;
  /** The key of one purpose. */
  derive(purpose: KeyPurpose): Uint8Array;
}

/** The keys of a process (D67). */
export class KeyRing {
  /** Makes and signs. */
  readonly current: SecretKey;
  /** Verify; the current one first. */
  readonly all: readonly SecretKey[];

  constructor(secrets: Secrets) {
    const [current, ...others] = listedSecrets(secrets).map(secretKey);
    if (current === undefined) throw new TypeError('There must be a secret.');
    this.current = current;
    this.all = [current, ...others];
  }

  /** The key with an id, if this process has it. */
  find(id: string | undefined): SecretKey | undefined {
    return this.all.find((key) => key.id === id);
  }

  /** The keys that may have made what carries this id: of what is older than ids, any. */
  candidates(id: string | undefined): readonly SecretKey[] {
    const named = this.find(id);
    return named === undefined ? this.all : [named];
  }
}

/** One or several secrets as a list. */
export function listedSecrets(secrets: Secrets): readonly (string | Uint8Array)[] {
  return typeof secrets === 'string' || secrets instanceof Uint8Array ? [secrets] : secrets;
}

/** Tells which secret signed, and nothing of it. */
export function keyIdOf(secret: string | Uint8Array): string {
  return createHash('sha256').update(deriveKey(secret, 'key-id')).digest('base64url').slice(0, 8);
}

function secretKey(given: string | Uint8Array): SecretKey {
  // Keys are derived later too: a host may wipe its bytes once it has handed them over.
  const secret = typeof given === 'string' ? given : Uint8Array.from(given);
  return {
    id: keyIdOf(secret),
    check: Buffer.from(deriveKey(secret, 'key-check')).toString('base64url'),
    derive: (purpose) => deriveKey(secret, purpose),
  };
}
