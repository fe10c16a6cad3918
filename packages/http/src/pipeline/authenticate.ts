import type { Caller, CustomerCredentials } from '@calends/core';
import { basicCredentials, bearerToken } from '../authentication/credentials.js';
import type { TokenVerifier } from '../authentication/token-verifier.js';
import type { HttpRequest } from '../message.js';
import type { MountedOperation } from '../operations/mount.js';
import { unauthenticated } from '../refusal.js';

/** Who a request is from; `undefined` where counting is public (D28), and where nothing is asked for. */
export type Identity = Caller | CustomerCredentials | undefined;

/**
 * Step 1: who calls, before the body is read.
 *
 * @throws Refusal 401 for credentials that are missing, of the wrong kind or not valid (D40, D44)
 */
export async function authenticate(
  { operation }: MountedOperation,
  request: HttpRequest,
  verifier: TokenVerifier,
  countIsPublic: boolean,
): Promise<Identity> {
  const authorization = request.header('authorization');
  switch (operation.authentication) {
    case 'one-time-password':
      return basicCredentials(authorization) ?? refuse();
    case 'bearer-unless-public':
      return countIsPublic ? undefined : callerOf(authorization, verifier);
    case 'none':
      return undefined;
    case 'bearer':
      return callerOf(authorization, verifier);
  }
}

async function callerOf(authorization: string | undefined, verifier: TokenVerifier): Promise<Caller> {
  const token = bearerToken(authorization);
  const caller = token === undefined ? undefined : await verifier.verify(token);
  return caller ?? refuse();
}

function refuse(): never {
  throw unauthenticated();
}

/** `WWW-Authenticate` of a 401 (RFC 6750, RFC 7617). */
export function challengeOf({ operation }: MountedOperation): string {
  return operation.authentication === 'one-time-password'
    ? 'Basic realm="calends", charset="UTF-8"'
    : 'Bearer realm="calends"';
}
