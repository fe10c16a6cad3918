import type { StoreErrorCode, StoreErrorReason } from '@calends/core/store';

/** A field of a caught value, when it is a string or a number. */
export function errorField(error: unknown, field: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Before there was a connection. */
const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const outOfReach = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EACCES']);

/** Codes of Node and OpenSSL, and of mysql2. */
const tlsCodes =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY)_|HANDSHAKE_(NO_SSL_SUPPORT|SSL_ERROR)$)/;
/** Of `pg`, which gives it no code. */
const tlsMessage = /^The server does not support SSL connections$|establishing an SSL connection/;

/** Faults that have no code of a database: the network, the pool, a Knex that was ended. */
export function transportFault(error: unknown): {
  readonly code: StoreErrorCode;
  readonly sign: string;
  readonly reason?: StoreErrorReason;
} {
  // Of a host name with several addresses, all of which refused.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorField(first, 'code');
  if (code !== undefined && notConnected.has(code)) return { code: 'unavailable', sign: code, reason: 'noConnection' };
  if (code !== undefined && tlsCodes.test(code)) return { code: 'unavailable', sign: code, reason: 'tlsRefused' };
  if (code !== undefined && outOfReach.has(code)) return { code: 'unavailable', sign: code };
  const name = errorField(first, 'name') ?? 'unknown';
  const message = errorField(first, 'message') ?? '';
  if (tlsMessage.test(message)) return { code: 'unavailable', sign: 'TLS', reason: 'tlsRefused' };
  const lost =
    name === 'KnexTimeoutError' ||
    name === 'TimeoutError' ||
    name === 'AnswerOverdue' ||
    /^(Connection terminated|Unable to acquire a connection|timeout expired|Client has encountered a connection error|aborted$)/.test(
      message,
    ) ||
    /connection is in closed state|Client was closed/.test(message);
  return lost ? { code: 'unavailable', sign: name } : { code: 'unexpected', sign: name };
}
