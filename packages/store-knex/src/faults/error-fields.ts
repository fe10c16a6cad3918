import type { StoreErrorCode } from '@calends/core';

/** A field of a caught value, when it is a text or a number. */
export function errorField(error: unknown, field: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const outOfReach = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EACCES',
]);

/** Faults that have no code of a database: the network, the pool, a Knex that was ended. */
export function transportFault(error: unknown): { readonly code: StoreErrorCode; readonly sign: string } {
  // Of a host name with several addresses, all of which refused.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const code = errorField(first, 'code');
  if (code !== undefined && outOfReach.has(code)) return { code: 'unavailable', sign: code };
  const name = errorField(first, 'name') ?? 'unknown';
  const message = errorField(first, 'message') ?? '';
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
