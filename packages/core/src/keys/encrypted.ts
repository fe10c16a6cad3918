import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { SecureRandom } from '../ports/random.js';

const cipher = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** Bytes that only the holder of a key can read, base64url; they open with what they are about, and with nothing else. */
export function encrypted(
  bytes: Uint8Array,
  key: Uint8Array,
  about: string,
  secureRandom: Pick<SecureRandom, 'bytes'>,
): string {
  const nonce = Buffer.from(secureRandom.bytes(nonceLength));
  const encrypting = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(about));
  const content = [encrypting.update(bytes), encrypting.final()];
  return Buffer.concat([nonce, ...content, encrypting.getAuthTag()]).toString('base64url');
}

/** The bytes again; `undefined` for what this key has not encrypted, or not about that. */
export function decrypted(text: string, key: Uint8Array, about: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= nonceLength + tagLength) return undefined;
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength });
  opening.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-tagLength));
  try {
    return new Uint8Array(Buffer.concat([opening.update(bytes.subarray(nonceLength, -tagLength)), opening.final()]));
  } catch {
    return undefined;
  }
}
