import type { Role } from '@calends/core';
import { SignJWT } from 'jose';
import type { Environment } from '../configuration/environment.js';

/** Who a token is for (D40). */
export interface TokenSubject {
  readonly sub: string;
  readonly roles: readonly Role[];
  readonly organizationId: string;
  readonly applicationIds?: readonly string[] | undefined;
  readonly conferenceId?: string | undefined;
}

/** How a token is signed. */
export interface TokenSigning {
  readonly secret: string | Uint8Array;
  /** Issuer and audience that the server asks for, if any. */
  readonly expected: Partial<Pick<Environment['jwt'], 'issuer' | 'audience'>>;
  /** How long the token is valid, in milliseconds. */
  readonly validFor: number;
}

/** Signs a bearer token (HS256) that this server's configuration accepts. */
export function signToken(subject: TokenSubject, { secret, expected, validFor }: TokenSigning): Promise<string> {
  const { sub, ...claims } = subject;
  const now = Math.floor(Date.now() / 1000);
  const token = new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt(now)
    .setExpirationTime(now + Math.floor(validFor / 1000));
  if (expected.issuer !== undefined) token.setIssuer(expected.issuer);
  if (expected.audience !== undefined) token.setAudience(expected.audience);
  return token.sign(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret);
}
