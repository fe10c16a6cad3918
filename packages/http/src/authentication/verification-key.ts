import { createPublicKey, createSecretKey, type JsonWebKey, KeyObject } from 'node:crypto';
import { isUint8Array } from 'node:util/types';
import type { JWTVerifyGetKey } from 'jose';
import { jwksKeys } from './jwks-keys.js';
import { type JwtVerifierOptions, publicKeyAlgorithms } from './token-verifier.js';

/** With which key, and by which algorithms, tokens are verified. */
export interface VerificationKey {
  readonly key: JWTVerifyGetKey;
  readonly algorithms: string[];
  /** True when keys can be withdrawn while the process runs. */
  readonly changes: boolean;
}

const minSecretBytes = 32;
const minModulus = 2048;
const curves: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Reads the key options.
 *
 * @throws TypeError for a key that is missing, given twice, too short, private, or of a type or kind that signs no JWTs
 */
export function verificationKey(options: JwtVerifierOptions, now: () => number): VerificationKey {
  const given = [options.secret, options.publicKey, options.jwks].filter((key) => key !== undefined);
  if (given.length !== 1) {
    throw new TypeError('authentication: give exactly one of `secret`, `publicKey` and `jwks`.');
  }
  if (options.secret !== undefined) return fixed(secretKey(options.secret), allowList(options, ['HS256']));
  if (options.publicKey !== undefined) {
    return fixed(publicKey(options.publicKey), allowList(options, publicKeyAlgorithms));
  }
  const source = {
    url: keySetAddress(options.jwks?.url),
    fetch: options.fetch ?? fetch,
    now,
    onFault: options.onFault ?? (() => undefined),
  };
  return { key: jwksKeys(source), algorithms: allowList(options, publicKeyAlgorithms), changes: true };
}

function fixed(key: KeyObject, algorithms: string[]): VerificationKey {
  return { key: () => key, algorithms, changes: false };
}

function allowList(options: JwtVerifierOptions, permitted: readonly string[]): string[] {
  const given: unknown = options.algorithms ?? permitted;
  const wanted: readonly unknown[] = Array.isArray(given) ? given : [];
  const isPermitted = (algorithm: unknown): algorithm is string => permitted.some((each) => each === algorithm);
  if (wanted.length === 0 || !wanted.every(isPermitted)) {
    throw new TypeError(`authentication.algorithms: must be some of ${permitted.join(', ')} with this kind of key.`);
  }
  return [...wanted];
}

function secretKey(secret: unknown): KeyObject {
  const bytes = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret;
  // Made into bytes, a list of characters or an object with a length is zeros: a key that everybody has.
  if (!isUint8Array(bytes)) throw new TypeError('authentication.secret: must be a string or a Uint8Array.');
  if (bytes.byteLength < minSecretBytes) {
    throw new TypeError(`authentication.secret: must have at least ${minSecretBytes} bytes.`);
  }
  return createSecretKey(bytes);
}

function publicKey(given: NonNullable<JwtVerifierOptions['publicKey']>): KeyObject {
  // Hosts in plain JavaScript have no compiler that tells them.
  if (typeof given !== 'string' && Object(given) !== given) {
    throw new TypeError('authentication.publicKey: must be PEM, a JWK or a KeyObject.');
  }
  const key = readPublicKey(given);
  const kind = key.asymmetricKeyType;
  const details = key.asymmetricKeyDetails;
  const usable =
    kind === 'ed25519' ||
    (kind === 'rsa' && (details?.modulusLength ?? 0) >= minModulus) ||
    (kind === 'ec' && curves.has(details?.namedCurve));
  if (!usable) {
    throw new TypeError('authentication.publicKey: must be RSA of at least 2048 bits, P-256, P-384, P-521 or Ed25519.');
  }
  return key;
}

function readPublicKey(given: NonNullable<JwtVerifierOptions['publicKey']>): KeyObject {
  const isPrivate =
    given instanceof KeyObject
      ? given.type !== 'public'
      : typeof given === 'string'
        ? given.includes('PRIVATE KEY')
        : 'd' in given || 'k' in given;
  if (isPrivate) throw new TypeError('authentication.publicKey: must be a public key, not a private or secret one.');
  if (given instanceof KeyObject) return given;
  try {
    return typeof given === 'string'
      ? createPublicKey(given)
      : createPublicKey({ key: given as JsonWebKey, format: 'jwk' });
  } catch (cause) {
    throw new TypeError('authentication.publicKey: cannot be read as PEM or JWK.', { cause });
  }
}

function keySetAddress(given: unknown): URL {
  const text = given instanceof URL ? given.href : given;
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const loopback = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback))) {
    throw new TypeError('authentication.jwks.url: must be an https address, or http on a loopback address.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('authentication.jwks.url: must not carry a user name or password.');
  }
  return url;
}
