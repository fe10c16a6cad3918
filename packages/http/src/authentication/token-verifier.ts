import type { Caller } from '@calends/core';
import type { KeyObject } from 'node:crypto';
import type { ClaimsMapper } from './claims.js';

/** Tells who a bearer token belongs to (D40); hosts with other tokens than JWTs bring their own. */
export interface TokenVerifier {
  /**
   * The caller whom a valid token names; `undefined` for every other token, whatever is wrong with it (401). One without an id, an
   * organization or roles is refused too, and `onFault` is told. The answer is copied: what becomes of it later changes nothing.
   *
   * A rejection is a fault of the service (500), or of something it waits for when it is a `CalendsError` with
   * `temporary` (503), or does not come within 30 s. Called for every request: cache what is expensive.
   */
  verify(token: string): Promise<Caller | undefined> | Caller | undefined;
}

/** Signature algorithms of public keys (D40); HS256 belongs to shared secrets only. */
export const publicKeyAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** How JWTs are verified (D40); exactly one of `secret`, `publicKey` and `jwks` says with which key. */
export interface JwtVerifierOptions {
  /** Shared secret of at least 32 bytes (text counts as UTF-8); HS256 only. */
  readonly secret?: string | Uint8Array | undefined;
  /** Public key: PEM (SPKI), JWK or `KeyObject`. RSA of at least 2048 bits, P-256/384/521, Ed25519. */
  readonly publicKey?: string | Readonly<Record<string, unknown>> | KeyObject | undefined;
  /** Address of a JWK set; https, or http on a loopback address. */
  readonly jwks?: { readonly url: string | URL } | undefined;
  /** Narrower than the default: all of RS, PS, ES from 256 on and EdDSA; HS256 with a secret. */
  readonly algorithms?: readonly string[] | undefined;
  /** Required `iss`, one of them. Default: not checked; set it in production (D80). */
  readonly issuer?: string | readonly string[] | undefined;
  /** Required `aud`, one of them. Default: not checked; set it in production, or tokens for other services are let in. */
  readonly audience?: string | readonly string[] | undefined;
  /**
   * `required` refuses a token without `organizationId`; `optional` reads it as the organization `default` (D40, D80). For
   * the built-in reading of claims, not beside `claims`. Default `optional`; set `required` as soon as one application
   * names an organization.
   */
  readonly organizationClaim?: 'required' | 'optional' | undefined;
  /** Turns claims into a caller. Default {@link callerFromClaims}. */
  readonly claims?: ClaimsMapper | undefined;
  /** How many verified tokens are remembered until they expire; 0 = none. Default 10,000. */
  readonly cacheSize?: number | undefined;
  /** Told about key sets that cannot be fetched. Default: nobody. */
  readonly onFault?: ((fault: unknown) => void) | undefined;
  /** Epoch milliseconds. Default: the system's clock. */
  readonly now?: (() => number) | undefined;
  /** Fetches key sets. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Names of all options, for the check against misspelt ones. */
export const jwtOptionNames = [
  ...['secret', 'publicKey', 'jwks', 'algorithms', 'issuer', 'audience', 'organizationClaim'],
  ...['claims', 'cacheSize', 'onFault', 'now', 'fetch'],
] as const;
