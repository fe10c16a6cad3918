import { generateKeyPairSync } from 'node:crypto';
import { exportJWK, importJWK, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { JwtVerifierOptions } from './token-verifier.js';
import { jwtVerifier } from './jwt-verifier.js';

const start = Date.UTC(2030, 0, 1);
const seconds = start / 1000;
const secret = 'a shared secret of at least thirty-two bytes';
const key = Buffer.from(secret);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ed = generateKeyPairSync('ed25519');
const claims = { sub: 'agent-1', roles: ['ROLE_AGENT'], exp: seconds + 3600 };
const caller = { id: 'agent-1', organizationId: 'default', roles: ['ROLE_AGENT'] };

interface Header {
  readonly alg: string;
  readonly [name: string]: unknown;
}

function sign(payload: object, header: Header = { alg: 'HS256' }, with_: Parameters<SignJWT['sign']>[0] = key) {
  return new SignJWT(payload as JWTPayload).setProtectedHeader(header).sign(with_);
}

function encoded(header: object, payload: object, signature = 'c2ln'): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.${signature}`;
}

function verifier(options: JwtVerifierOptions = { secret }) {
  return jwtVerifier({ now: () => start, ...options });
}

describe('a JWT is accepted (D40)', () => {
  it('a JWT signed with the shared secret is accepted', async () => {
    expect(await verifier().verify(await sign(claims))).toEqual(caller);
  });

  it.each([
    ['bytes', new Uint8Array(key)],
    ['a Buffer', key],
  ])('a JWT signed with the shared secret is accepted where the secret is given as %s', async (_, given) => {
    expect(await verifier({ secret: given }).verify(await sign(claims))).toEqual(caller);
  });

  it.each([
    ['RS256', rsa],
    ['PS384', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('a JWT signed with %s for a public key is accepted', async (alg, { privateKey, publicKey }) => {
    const token = await sign(claims, { alg }, privateKey);
    const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
    expect(await verifier({ publicKey: pem }).verify(token)).toEqual(caller);
    expect(await verifier({ publicKey }).verify(token)).toEqual(caller);
    expect(await verifier({ publicKey: { ...(await exportJWK(publicKey)) } }).verify(token)).toEqual(caller);
  });

  it.each([
    ['expired within the skew of 60 s', { exp: seconds - 59 }],
    ['valid from within the skew', { nbf: seconds + 59, iat: seconds + 59 }],
  ])('a JWT that is %s is accepted', async (_, times) => {
    expect(await verifier().verify(await sign({ ...claims, ...times }))).toEqual(caller);
  });

  it.each(['JWT', 'jwt', 'at+jwt', 'application/at+jwt'])('a JWT is accepted with typ %s', async (typ) => {
    expect(await verifier().verify(await sign(claims, { alg: 'HS256', typ }))).toEqual(caller);
  });

  it('a JWT is accepted with the issuer and audience that are asked for', async () => {
    const strict = verifier({ secret, issuer: 'https://issuer.example', audience: ['calends', 'other'] });
    const token = await sign({ ...claims, iss: 'https://issuer.example', aud: ['x', 'calends'] });
    expect(await strict.verify(token)).toEqual(caller);
  });
});

describe('a JWT is refused', () => {
  const refused: readonly (readonly [string, () => Promise<string> | string])[] = [
    ['garbled', () => 'not-a-token'],
    ['empty parts', () => '..'],
    ['alg none', () => encoded({ alg: 'none' }, claims, '')],
    ['alg none with a signature', () => encoded({ alg: 'none' }, claims)],
    ['alg None', () => encoded({ alg: 'NoNe' }, claims)],
    ['another secret', () => sign(claims, { alg: 'HS256' }, Buffer.alloc(32, 1))],
    ['HS512', () => sign(claims, { alg: 'HS512' }, Buffer.concat([key, key]))],
    [
      'an altered payload',
      async () =>
        (await sign(claims)).replace(/\.[^.]+\./, `.${encoded({}, { ...claims, sub: 'x' }).split('.')[1] ?? ''}.`),
    ],
    ['a JWE', () => 'eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn'],
    ['crit', () => sign(claims, { alg: 'HS256', crit: ['b64'], b64: true })],
    ['no exp', () => sign({ sub: 'agent-1', roles: ['ROLE_AGENT'] })],
    ['exp as text', () => sign({ ...claims, exp: String(seconds + 3600) })],
    ['exp beyond the year 9999', () => sign({ ...claims, exp: 253_402_300_800 })],
    ['exp as NaN', () => sign({ ...claims, exp: null })],
    ['expired', () => sign({ ...claims, exp: seconds - 61 })],
    ['nbf in the future', () => sign({ ...claims, nbf: seconds + 61 })],
    ['iat in the future', () => sign({ ...claims, iat: seconds + 61 })],
    ['iat as text', () => sign({ ...claims, iat: 'yesterday' })],
    ['nbf as text', () => sign({ ...claims, nbf: 'yesterday' })],
    ['typ of something else', () => sign(claims, { alg: 'HS256', typ: 'dpop+jwt' })],
    ['typ of another type', () => sign(claims, { alg: 'HS256', typ: ['JWT'] })],
    ['an ID token, by its nonce', () => sign({ ...claims, nonce: 'n-0S6_WzA2Mj' })],
    ['an ID token, by its hash of an access token', () => sign({ ...claims, at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' })],
    ['no sub', () => sign({ ...claims, sub: undefined })],
    ['sub of the wrong type', () => sign({ ...claims, sub: 7 })],
    ['claims that are no object', () => encoded({ alg: 'HS256' }, [])],
  ];

  it.each(refused)('a JWT is refused: %s', async (_, make) => {
    expect(await verifier().verify(await make())).toBeUndefined();
  });

  it('a JWT signed by HMAC with the public key as secret is refused', async () => {
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
    const token = await sign(claims, { alg: 'HS256' }, Buffer.from(pem));
    expect(await verifier({ publicKey: pem }).verify(token)).toBeUndefined();
  });

  it.each([
    ['RSA', rsa],
    ['P-256', ec],
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['Ed25519', ed],
  ])('a JWT is refused under any algorithm that the key does not have: %s', async (_, { publicKey }) => {
    const { verify } = verifier({ publicKey });
    for (const alg of ['RS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'HS256', 'none', '__proto__']) {
      for (const bytes of [0, 1, 64, 96, 132, 256]) {
        const signature = Buffer.alloc(bytes, 1).toString('base64url');
        expect(await verify(encoded({ alg }, claims, signature))).toBeUndefined();
      }
    }
  });

  it('a JWT is refused with its own key in the header, wherever it points', async () => {
    const jwk = await exportJWK(ec.publicKey);
    for (const header of [{ jwk }, { jku: 'http://127.0.0.1/keys' }, { kid: '../../dev/null' }, { kid: "' OR 1=1" }]) {
      const token = await sign(
        claims,
        { alg: 'ES256', ...header },
        await importJWK(await exportJWK(ec.privateKey), 'ES256'),
      );
      expect(await verifier({ publicKey: ed.publicKey }).verify(token)).toBeUndefined();
    }
  });

  it.each([
    ['no issuer', {}],
    ['another issuer', { iss: 'https://other.example', aud: 'calends' }],
    ['another audience', { iss: 'https://issuer.example', aud: 'other' }],
    ['an issuer of another type', { iss: ['https://issuer.example'], aud: 'calends' }],
  ])('a JWT is refused with %s where one is asked for', async (_, extra) => {
    const strict = verifier({ secret, issuer: 'https://issuer.example', audience: 'calends' });
    expect(await strict.verify(await sign({ ...claims, ...extra }))).toBeUndefined();
  });
});

describe('the claim organizationId (D80)', () => {
  const required = { secret, organizationClaim: 'required' } as const;

  it('the claim organizationId that is required refuses a token without it', async () => {
    expect(await verifier(required).verify(await sign(claims))).toBeUndefined();
    expect(await verifier(required).verify(await sign({ ...claims, organizationId: null }))).toBeUndefined();
    const token = await sign({ ...claims, organizationId: 'org-1' });
    expect(await verifier(required).verify(token)).toEqual({ ...caller, organizationId: 'org-1' });
  });

  it('the claim organizationId is not required of a mapper of the host, which reads claims of its own', () => {
    const options = { ...required, claims: () => undefined };
    expect(() => verifier(options)).toThrow('authentication.organizationClaim: cannot be required');
    expect(() => verifier({ secret, organizationClaim: 'yes' as 'required' })).toThrow('must be required or optional');
  });
});

describe('verified tokens are remembered', () => {
  it('verified tokens are remembered until exp and never longer', async () => {
    let now = start;
    let mapped = 0;
    const counting = jwtVerifier({
      secret,
      now: () => now,
      claims: () => {
        mapped += 1;
        return { id: 'u', organizationId: 'o', roles: [] };
      },
    });
    const token = await sign(claims);
    await counting.verify(token);
    await counting.verify(token);
    expect(mapped).toBe(1);
    now = start + 3600_000;
    await counting.verify(token);
    expect(mapped).toBe(2);
    now = start + 3661_000;
    expect(await counting.verify(token)).toBeUndefined();
  });

  it('verified tokens are remembered once `claims` has told the caller, which it may do later, and not where it rejects', async () => {
    const answers: readonly (() => Promise<unknown>)[] = [
      () => Promise.reject(new Error('away')),
      async () => null,
      async () => caller,
    ];
    let asked = 0;
    const later = verifier({ secret, claims: () => answers[asked++]?.() as Promise<undefined> });
    const token = await sign(claims);
    await expect(later.verify(token)).rejects.toThrow('away');
    expect(await later.verify(token)).toBeUndefined();
    expect(await later.verify(token)).toEqual(caller);
    expect(await later.verify(token)).toEqual(caller);
    expect(asked).toBe(3);
  });

  it('verified tokens are remembered by their exact text: an altered trailing signature bit is another token', async () => {
    let mapped = 0;
    const counting = verifier({
      secret,
      claims: () => {
        mapped += 1;
        return { id: 'u', organizationId: 'o', roles: [] };
      },
    });
    const token = await sign(claims);
    const last = token.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = token.slice(0, -1) + (alphabet[alphabet.indexOf(last) ^ 1] ?? '');
    await counting.verify(token);
    await counting.verify(twin);
    expect(mapped).toBe(2);
  });
});

describe('a verifier cannot be made', () => {
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 });
  it.each<[string, object]>([
    ['without a key', {}],
    ['with two keys', { secret, jwks: { url: 'https://issuer.example/jwks' } }],
    ['with a secret below 32 bytes', { secret: 'too short' }],
    ['with HS256 for a public key', { publicKey: rsa.publicKey, algorithms: ['HS256'] }],
    ['with RS256 for a secret', { secret, algorithms: ['RS256'] }],
    ['with no algorithm', { secret, algorithms: [] }],
    ['with alg none', { secret, algorithms: ['none'] }],
    ['with a private key', { publicKey: rsa.privateKey }],
    ['with a private PEM', { publicKey: rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }) }],
    ['with a secret JWK', { publicKey: { kty: 'oct', k: 'c2VjcmV0' } }],
    ['with RSA below 2048 bits', { publicKey: small.publicKey }],
    ['with a key that signs nothing', { publicKey: generateKeyPairSync('x25519').publicKey }],
    ['with a text that is no key', { publicKey: 'hello' }],
    ['with key sets over plain http', { jwks: { url: 'http://issuer.example/jwks' } }],
    ['with credentials in the address', { jwks: { url: 'https://a:b@issuer.example/jwks' } }],
    ['with an address that is none', { jwks: { url: 'issuer' } }],
    ['with an empty issuer', { secret, issuer: '' }],
    ['with a negative cache', { secret, cacheSize: -1 }],
    ['with a misspelt option', { secret, issuers: 'x' }],
  ])('a verifier cannot be made %s', (_, options) => {
    expect(() => jwtVerifier(options)).toThrow(TypeError);
  });

  it.each<[string, unknown]>([
    ['an object with a length', { length: 64 }],
    ['a list of characters', Array.from(secret)],
    ['a list of numbers', [...key]],
    ['numbers of more than a byte', new Uint32Array(40).fill(0x12345600)],
    ['an ArrayBuffer', new ArrayBuffer(64)],
    ['a String object', Object(secret)],
    ['a promise', Promise.resolve(secret)],
    ['a number', 5],
    ['null', null],
  ])('a verifier cannot be made with a secret that is neither text nor bytes: %s', (_, given) => {
    const options = { secret: given } as JwtVerifierOptions;
    const fault = 'authentication.secret: must be a string or a Uint8Array.';
    expect(() => jwtVerifier(options)).toThrow(new TypeError(fault));
  });

  it.each([[null], [5], [true]])('a verifier cannot be made with a public key of another type: %j', (publicKey) => {
    const options = { publicKey } as unknown as JwtVerifierOptions;
    const fault = 'authentication.publicKey: must be PEM, a JWK or a KeyObject.';
    expect(() => jwtVerifier(options)).toThrow(new TypeError(fault));
  });

  it.each<[string, object]>([
    ['claims', { claims: 'sub' }],
    ['onFault', { onFault: true }],
    ['now', { now: 1 }],
    ['fetch', { fetch: 'https://issuer.example/jwks' }],
    ['issuer', { issuer: 5 }],
    ['issuer', { issuer: null }],
    ['audience', { audience: [undefined] }],
    ['algorithms', { algorithms: 'HS256' }],
  ])('a verifier cannot be made with an option of another type, and it is named: %s', (name, options) => {
    expect(() => jwtVerifier({ secret, ...options })).toThrow(`authentication.${name}: must be`);
  });
});
