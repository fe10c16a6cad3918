import { randomBytes } from 'node:crypto';

/** Where secrets come from. */
export interface SecureRandom {
  /** So many bytes that nobody can foresee. */
  bytes(length: number): Uint8Array;
}

/** The operating system's generator. */
export const systemSecureRandom: SecureRandom = { bytes: (length) => new Uint8Array(randomBytes(length)) };
