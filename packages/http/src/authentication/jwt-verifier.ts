import type { Caller } from '@calends/core';
import { ownCaller } from '@calends/core/operations';
import { checkOptionNames, dropRejectionsIn } from '@calends/core/store';
import { errors, jwtVerify, type JWTVerifyResult } from 'jose';
import { hash } from 'node:crypto';
import { callerFromClaims, type ClaimsMapper } from './claims.js';
import { jwtOptionNames, type JwtVerifierOptions, type TokenVerifier } from './token-verifier.js';
import { verificationKey } from './verification-key.js';

/** Seconds by which clocks may differ (D40). */
const skew = 60;
const defaultCacheSize = 10_000;
/** With keys that can be withdrawn, a token is verified again after so long. */
const changingKeysCache = 10 * 60_000;
/** Last second of the year 9999. */
const lastExpiry = 253_402_300_799;
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

/**
 * Verifies bearer JWTs (D40; security model).
 *
 * Beyond what jose checks: `exp` is required and lies before the year 10000; `nbf` and `iat` more than 60 s in the
 * future, `crit`, a `typ` that is not that of a JWT, and ID tokens (`nonce` or `at_hash`: they tell a client who logged
 * in, and are no permission for a service, D80) are refused. Verified tokens are remembered by the hash of
 * their exact text until `exp`. Safe to share between routers of one process.
 *
 * @throws TypeError for options that do not make a verifier
 */
export function jwtVerifier(options: JwtVerifierOptions): TokenVerifier {
  checkOptionNames('authentication', options, jwtOptionNames);
  for (const name of ['claims', 'onFault', 'now', 'fetch'] as const) {
    // Hosts in plain JavaScript have no compiler that tells them.
    const given: unknown = options[name];
    if (given !== undefined && typeof given !== 'function')
      throw new TypeError(`authentication.${name}: must be a function.`);
  }
  const now = checkedNow(options.now ?? Date.now);
  const { key, algorithms, changes } = verificationKey(options, now);
  const claims = mapperOf(options);
  const verified = new VerifiedTokens(cacheSize(options.cacheSize));
  const expectations = {
    algorithms,
    clockTolerance: skew,
    requiredClaims: ['exp'],
    ...(options.issuer === undefined ? {} : { issuer: listOf('issuer', options.issuer) }),
    ...(options.audience === undefined ? {} : { audience: listOf('audience', options.audience) }),
  };

  const verifyAnew = async (token: string, hash: string): Promise<Caller | undefined> => {
    const at = now();
    const result = await valid(jwtVerify(token, key, { ...expectations, currentDate: new Date(at) }));
    if (result === undefined || !isOrdinary(result, at / 1000)) return undefined;
    const expiry = (result.payload.exp ?? 0) * 1000;
    // Hosts that ask a database have null for nobody.
    const told = (await claims(result.payload)) ?? undefined;
    if (told === undefined) return undefined;
    const caller = ownCaller(told);
    verified.set(hash, caller, changes ? Math.min(expiry, at + changingKeysCache) : expiry);
    return caller;
  };

  return {
    verify(token) {
      if (!compact.test(token)) return undefined;
      const hash = tokenKey(token);
      return verified.get(hash, now()) ?? verifyAnew(token, hash);
    },
  };
}

/** A clock of the host: what is no time is a fault of the host, and no reason to let a token in or to refuse it. */
function checkedNow(now: () => unknown): () => number {
  return () => {
    const at = now();
    if (typeof at === 'number' && Number.isFinite(at)) return at;
    dropRejectionsIn(at);
    throw new TypeError('authentication.now: must answer epoch milliseconds.');
  };
}

/**
 * A token that does not verify is no fault: whatever jose or the key says against it, the answer is 401.
 *
 * Web Crypto says it by a `DOMException`: ES384 with a P-256 key, or a broken key in a set.
 */
async function valid<Result>(verification: Promise<Result>): Promise<Result | undefined> {
  try {
    return await verification;
  } catch (fault) {
    const kinds = [errors.JOSEError, TypeError, DOMException];
    if (kinds.some((kind) => fault instanceof kind)) return undefined;
    throw fault;
  }
}

function isOrdinary({ payload, protectedHeader }: JWTVerifyResult, now: number): boolean {
  const { exp, iat, nbf } = payload;
  const { typ, crit } = protectedHeader;
  const expires = typeof exp === 'number' && exp <= lastExpiry;
  const isIdToken = 'nonce' in payload || 'at_hash' in payload;
  const begun = [iat, nbf].every((from) => from === undefined || (typeof from === 'number' && from <= now + skew));
  return (
    expires && begun && !isIdToken && crit === undefined && types.has(typeof typ === 'string' ? typ.toLowerCase() : typ)
  );
}

function mapperOf({ claims, organizationClaim = 'optional' }: JwtVerifierOptions): ClaimsMapper {
  if (!['required', 'optional'].includes(organizationClaim)) {
    throw new TypeError('authentication.organizationClaim: must be required or optional.');
  }
  if (organizationClaim === 'optional') return claims ?? callerFromClaims;
  if (claims !== undefined) {
    throw new TypeError('authentication.organizationClaim: cannot be required of a `claims` function of your own.');
  }
  return (given) => ((given['organizationId'] ?? undefined) === undefined ? undefined : callerFromClaims(given));
}

function listOf(name: string, given: string | readonly string[]): string[] {
  const list = [given].flat();
  if (list.length === 0 || list.some((entry: unknown) => typeof entry !== 'string' || entry === '')) {
    throw new TypeError(`authentication.${name}: must be texts that are not empty.`);
  }
  return list;
}

function cacheSize(given: number | undefined): number {
  const size = given ?? defaultCacheSize;
  if (!Number.isInteger(size) || size < 0)
    throw new TypeError('authentication.cacheSize: must be an integer from 0 on.');
  return size;
}

interface Entry {
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly until: number;
}

/**
 * Callers of tokens that were verified before (performance: Token verification).
 *
 * Found by the SHA-256 of the exact token, so that a token with other trailing signature bits is another one; kept
 * until the token expires and never longer, at max so many, the oldest going first.
 */
export class VerifiedTokens {
  readonly #entries = new Map<string, Entry>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get(key: string, now: number): Caller | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (now < entry.until) return entry.caller;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, caller: Caller, until: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#max) {
      const oldest = this.#entries.keys().next();
      if (oldest.done !== true) this.#entries.delete(oldest.value);
    }
    if (this.#max > 0) this.#entries.set(key, { caller, until });
  }
}

/** The key of a token; the token itself is not kept. */
export function tokenKey(token: string): string {
  return hash('sha256', token, 'base64');
}
