import type { Scheduling } from '@calends/core';
import type { TokenVerifier } from './token-verifier.js';

/**
 * Takes the library's own tokens of customers (D45) besides those of the host.
 *
 * Whether a token is the library's own is told by its first bytes, so this costs the others nothing.
 */
export function withCustomerTokens(
  { customers }: Pick<Scheduling, 'customers'>,
  verifier: TokenVerifier,
): TokenVerifier {
  return { verify: (token) => customers.verifyCustomerToken(token) ?? verifier.verify(token) };
}
