import { randomBytes } from 'node:crypto';
import type { SecureRandom } from '../ports/secure-random.js';

/** The operating system's generator. */
export const systemSecureRandom: SecureRandom = { bytes: (length) => new Uint8Array(randomBytes(length)) };
