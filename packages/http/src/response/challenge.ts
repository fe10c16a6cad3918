import type { Operation } from '@calends/http-contract';

/** `WWW-Authenticate` of a 401 (RFC 6750, RFC 7617). */
export function challengeOf(operation: Pick<Operation, 'authentication'> | undefined): string {
  return operation?.authentication === 'one-time-password'
    ? 'Basic realm="calends", charset="UTF-8"'
    : 'Bearer realm="calends"';
}
