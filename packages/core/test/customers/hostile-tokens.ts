import { createHash, createHmac } from 'node:crypto';
import { deriveKey, type KeyPurpose } from '../../src/support/secrets.js';

/** How tokens of one kind are made, so that each fault can be alone in its token. */
export interface TokenKind {
  readonly purpose: KeyPurpose;
  readonly type: string;
  /** The key that signs. */
  readonly key: { readonly id: string; readonly secret: string };
  readonly claims: Readonly<Record<string, unknown>>;
  /** Claims that must be there and be texts. */
  readonly texts: readonly string[];
  /** Seconds. */
  readonly now: number;
}

export const encoded = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url');

/** Signs whatever it is given, as somebody would who has the key. */
export function signed(
  header: unknown,
  claims: unknown,
  key: Uint8Array | string,
  { hash = 'sha256', spelling = 'base64url' }: { hash?: string; spelling?: BufferEncoding } = {},
): string {
  const segment = (part: unknown): string => encoded(typeof part === 'string' ? part : JSON.stringify(part));
  const head = `${segment(header)}.${segment(claims)}`;
  return `${head}.${createHmac(hash, key).update(head).digest().toString(spelling)}`;
}

/** A token of a kind without any fault. */
export function soundToken({ purpose, type, key, claims }: TokenKind): string {
  return signed({ alg: 'HS256', typ: type, kid: key.id }, claims, deriveKey(key.secret, purpose));
}

const keyPurposes: readonly KeyPurpose[] = [
  'access-token',
  'room-ticket',
  'customer-identity',
  'ticket-id',
  'manage-token',
  'customer-token',
  'one-time-password',
  'audit-chain',
];

/** Tokens that must be refused, each with what is wrong with it; nearly all are signed with the right key. */
export function hostileTokens(kind: TokenKind): readonly (readonly [fault: string, token: string])[] {
  return [...texts(kind), ...segments(kind), ...headers(kind), ...signatures(kind), ...claimFaults(kind)];
}

type Rows = readonly (readonly [string, string])[];

function texts(kind: TokenKind): Rows {
  const good = soundToken(kind);
  return [
    ['nothing', ''],
    ['a blank', ' '],
    ['dots', '..'],
    ['more dots', '....'],
    ['one word', 'null'],
    ['three letters', 'a.b.c'],
    ['JSON', '{"alg":"none"}'],
    ['100 KB', 'a'.repeat(100_000)],
    ['100 KB of dots', '.'.repeat(100_000)],
    ['a good one of 100 KB', `${good}${'A'.repeat(100_000)}`],
    ['a scheme before it', `Bearer ${good}`],
    ['a blank before it', ` ${good}`],
    ['a blank behind it', `${good} `],
    ['a line end behind it', `${good}\n`],
    ['NUL behind it', `${good}\u0000`],
    ['padding behind it', `${good}=`],
    ['a dot behind it', `${good}.`],
    ['a dot before it', `.${good}`],
    ['upper case', good.toUpperCase()],
    ['lower case', good.toLowerCase()],
    ['dots encoded for addresses', good.replaceAll('.', '%2E')],
    ['full-width dots', good.replaceAll('.', '\uFF0E')],
    ['quotes around it', `"${good}"`],
    ['itself twice', `${good},${good}`],
    ['a letter that decodes to nothing', good.replace('.', '.\u200B')],
  ];
}

function segments(kind: TokenKind): Rows {
  const good = soundToken(kind);
  const [head = '', claims = '', signature = ''] = good.split('.');
  const otherClaims = encoded(JSON.stringify({ ...kind.claims, [kind.texts[0]!]: 'another' }));
  return [
    ['no signature', `${head}.${claims}`],
    ['an empty signature', `${head}.${claims}.`],
    ['no claims', `${head}..${signature}`],
    ['no header', `.${claims}.${signature}`],
    ['header and claims the other way round', `${claims}.${head}.${signature}`],
    ['four segments', `${good}.${signature}`],
    ['five segments, as encrypted ones have', `${head}.${claims}.${claims}.${claims}.${signature}`],
    ['other claims under the same signature', `${head}.${otherClaims}.${signature}`],
    ['half a signature', `${head}.${claims}.${signature.slice(0, 21)}`],
    ['the signature twice', `${head}.${claims}.${signature}${signature}`],
    ['claims of another token', `${head}.${signature}.${claims}`],
  ];
}

function headers(kind: TokenKind): Rows {
  const { type, key, claims, purpose } = kind;
  const right = { alg: 'HS256', typ: type, kid: key.id };
  const under = deriveKey(key.secret, purpose);
  const withHeader = (header: unknown): string => signed(header, claims, under);
  const unsigned = (header: unknown): string =>
    `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(claims))}.`;
  const algorithms = ['none', 'None', 'nOnE', 'HS384', 'HS512', 'RS256', 'PS256', 'ES256', 'EdDSA', 'dir', ''];
  const keyIds = ['', 'unknown', `${key.id} `, '../../dev/null', "' OR 1=1 --", 0, null, [key.id], { $ne: 1 }];
  const parameters: Readonly<Record<string, unknown>> = {
    jku: 'https://keys.example/jwks',
    x5u: 'https://keys.example/chain',
    jwk: { kty: 'oct', k: encoded('a key of the attacker') },
    x5c: ['MIIB'],
    crit: ['exp'],
    b64: false,
    cty: 'JWT',
    zip: 'DEF',
    enc: 'A256GCM',
  };
  const { kid: _kid, ...withoutKid } = right;
  const { alg: _alg, ...withoutAlg } = right;
  const { typ: _typ, ...withoutTyp } = right;
  return [
    ...['none', 'None', 'NONE'].map((alg) => [`alg ${alg}, unsigned`, unsigned({ ...right, alg })] as const),
    ...algorithms.map((alg) => [`alg "${alg}"`, withHeader({ ...right, alg })] as const),
    ...keyIds.map((kid) => [`kid ${JSON.stringify(kid)}`, withHeader({ ...right, kid })] as const),
    ...Object.entries(parameters).map(
      ([name, value]) => [`the parameter ${name}`, withHeader({ ...right, [name]: value })] as const,
    ),
    ...['JWT', 'at+jwt', 'calends-manage+jwt', 'calends-customer+jwt', type.toUpperCase()]
      .filter((typ) => typ !== type)
      .map((typ) => [`typ ${typ}`, withHeader({ ...right, typ })] as const),
    ['no kid', withHeader(withoutKid)],
    ['no alg', withHeader(withoutAlg)],
    ['no typ', withHeader(withoutTyp)],
    ['alg as a list', withHeader({ ...right, alg: ['HS256'] })],
    ['the parameters in another order', withHeader({ kid: key.id, typ: type, alg: 'HS256' })],
    ['blanks in the header', withHeader(`${JSON.stringify(right)} `)],
    ['a parameter twice', withHeader(`{"alg":"none","alg":"HS256","typ":"${type}","kid":"${key.id}"}`)],
    ['a list for a header', withHeader([right])],
    ['null for a header', withHeader('null')],
    ['no JSON for a header', withHeader('alg')],
    ['__proto__ in the header', withHeader(`{"__proto__":{"alg":"HS256","typ":"${type}","kid":"${key.id}"}}`)],
  ];
}

function signatures(kind: TokenKind): Rows {
  const { type, key, claims, purpose } = kind;
  const right = { alg: 'HS256', typ: type, kid: key.id };
  const under = deriveKey(key.secret, purpose);
  const head = soundToken(kind).split('.').slice(0, 2).join('.');
  const withSignature = (signature: string): string => `${head}.${signature}`;
  return [
    ...keyPurposes
      .filter((other) => other !== purpose)
      .map((other) => [`the key for ${other}`, signed(right, claims, deriveKey(key.secret, other))] as const),
    ['the secret itself for a key', signed(right, claims, key.secret)],
    ['an empty key', signed(right, claims, '')],
    ['the key id for a key', signed(right, claims, key.id)],
    ['another secret', signed(right, claims, deriveKey(`${key.secret}!`, purpose))],
    ['SHA-384', signed(right, claims, under, { hash: 'sha384' })],
    ['SHA-512', signed(right, claims, under, { hash: 'sha512' })],
    ['hexadecimal digits', signed(right, claims, under, { spelling: 'hex' })],
    ['padded base64', signed(right, claims, under, { spelling: 'base64' })],
    ['a hash without a key', withSignature(encoded(createHash('sha256').update(head).digest()))],
    ['32 zero bytes', withSignature(encoded(new Uint8Array(32)))],
    ['one byte', withSignature(encoded(new Uint8Array(1)))],
    ['33 bytes', withSignature(encoded(new Uint8Array(33)))],
  ];
}

function claimFaults(kind: TokenKind): Rows {
  const { type, key, claims, purpose, now } = kind;
  const under = deriveKey(key.secret, purpose);
  const withClaims = (given: unknown): string => signed({ alg: 'HS256', typ: type, kid: key.id }, given, under);
  const without = (name: string): unknown => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  return [
    ['no JSON for claims', withClaims('claims')],
    ['null for claims', withClaims('null')],
    ['a text for claims', withClaims('"claims"')],
    ['a number for claims', withClaims('5')],
    ['a list for claims', withClaims([claims])],
    ['no claims at all', withClaims({})],
    ['everything in the prototype', withClaims(`{"__proto__":${JSON.stringify(claims)}}`)],
    ['deep nesting', withClaims(`${'['.repeat(1000)}${']'.repeat(1000)}`)],
    ...['iss', 'aud', 'exp', ...kind.texts].map((name) => [`no ${name}`, withClaims(without(name))] as const),
    ...kind.texts.map((name) => [`a number for ${name}`, withClaims({ ...claims, [name]: 5 })] as const),
    ...kind.texts.map((name) => [`an object for ${name}`, withClaims({ ...claims, [name]: { $ne: '' } })] as const),
    ['another issuer', withClaims({ ...claims, iss: 'https://elsewhere.example' })],
    ['another audience', withClaims({ ...claims, aud: 'calends:other' })],
    ['a list for the audience', withClaims({ ...claims, aud: [claims['aud']] })],
    ['exp now', withClaims({ ...claims, exp: now })],
    ['exp in the past', withClaims({ ...claims, exp: now - 1 })],
    ['exp as a text', withClaims({ ...claims, exp: '9999999999' })],
    ['exp null', withClaims({ ...claims, exp: null })],
    ['exp true', withClaims({ ...claims, exp: true })],
    ['exp as a list', withClaims({ ...claims, exp: [now + 60] })],
    ['exp below zero', withClaims({ ...claims, exp: -1 })],
  ];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The token with each single bit of each of its letters altered. */
export function alteredTokens(token: string): readonly string[] {
  return Array.from(token).flatMap((letter, index) => {
    const at = alphabet.indexOf(letter);
    const put = (other: string): string => `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
    return at < 0 ? [put('-')] : [0, 1, 2, 3, 4, 5].map((bit) => put(alphabet[at ^ (1 << bit)]!));
  });
}

/** The token with every other letter in the place of each of its last `count`. */
export function alteredEnds(token: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, back) => token.length - 1 - back).flatMap((index) =>
    Array.from(alphabet)
      .filter((letter) => letter !== token[index])
      .map((letter) => `${token.slice(0, index)}${letter}${token.slice(index + 1)}`),
  );
}
