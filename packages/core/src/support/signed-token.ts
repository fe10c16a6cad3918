import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Instant } from '@calends/model';
import { deriveKey, type KeyPurpose } from './secrets.js';

/** A key that signs tokens. */
export interface SigningKey {
  /** Told in tokens (`kid`), so that keys can be rotated; 1 to 32 of A-Z, a-z, 0-9, `-` and `_`. */
  readonly id: string;
  /** At least 32 bytes. */
  readonly secret: string | Uint8Array;
}

/** Claims of a token, as they were signed. */
type SignedClaims = Readonly<Record<string, unknown>> & { readonly exp: number };

/** Signs tokens of one purpose, and reads those that it signed (RFC 7515, HS256). */
interface TokenSigner {
  /** The end is told in whole seconds. */
  sign(claims: object, expiresAt: Instant): string;
  /** The claims of a token of this purpose that has not expired; `undefined` for everything else. */
  read(token: unknown, now: Instant): SignedClaims | undefined;
}

/** What a token is for: its key, the type in its header, and its `aud`. */
interface TokenPurpose {
  readonly key: KeyPurpose;
  readonly type: string;
  readonly audience: string;
}

const issuer = 'calends';

/** Longer strings are no tokens of ours. */
const maxTokenLength = 4096;

/**
 * Signs with the first key, reads what any of them signed.
 *
 * A token is looked at only when its header is, byte for byte, one that this signer writes: no other algorithm, key id,
 * type or header parameter can ask for anything. Signature and claims must be in the one spelling of their bytes, so that
 * no token has a twin.
 */
export function tokenSigner(keys: readonly SigningKey[], { key: purpose, type, audience }: TokenPurpose): TokenSigner {
  const signers = keys.map(({ id, secret }) => {
    const key = deriveKey(secret, purpose);
    const header = encoded(JSON.stringify({ alg: 'HS256', typ: type, kid: id }));
    const sign = (signed: string): Buffer => createHmac('sha256', key).update(signed).digest();
    return { header, sign };
  });
  const byHeader = new Map(signers.map((signer) => [signer.header, signer]));
  const [current] = signers;
  if (current === undefined) throw new TypeError('A signer needs a key.');

  return {
    sign(claims, expiresAt) {
      const whole = { iss: issuer, aud: audience, ...claims, exp: Math.floor(expiresAt / 1000) };
      const signed = `${current.header}.${encoded(JSON.stringify(whole))}`;
      return `${signed}.${current.sign(signed).toString('base64url')}`;
    },
    read(token, now) {
      if (typeof token !== 'string' || token.length > maxTokenLength) return undefined;
      const [header = '', claims = '', signature = '', ...more] = token.split('.');
      const signer = byHeader.get(header);
      if (signer === undefined || more.length > 0) return undefined;
      const given = bytesOf(signature);
      const expected = signer.sign(`${header}.${claims}`);
      if (given?.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const read = objectOf(claims);
      if (read?.['iss'] !== issuer || read['aud'] !== audience) return undefined;
      const exp = read['exp'];
      return typeof exp === 'number' && now < exp * 1000 ? { ...read, exp } : undefined;
    },
  };
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Bytes of a string that is their one base64url spelling. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function objectOf(segment: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesOf(segment);
  if (bytes === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(bytes.toString());
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
