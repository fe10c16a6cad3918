import type { CustomerCredentials } from '@calends/core';
import { isSafeText, limits } from '@calends/model';

/** Longer tokens are refused before anything is decoded (threats: Input, token). */
const maxTokenLength = 8 * 1024;
const bearer = /^bearer +([\w.~+/-]+=*) *$/i;

/** User name and one-time password fit well into this. */
const maxBasicLength = 2 * 1024;
const basic = /^basic +([\w+/-]+={0,2}) *$/i;
const maxCodeLength = 64;

/** The bearer token of an `Authorization` header (RFC 6750), or `undefined` when there is no well-formed one. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > maxTokenLength) return undefined;
  return bearer.exec(authorization)?.[1];
}

/** User name and one-time password of an `Authorization` header (RFC 7617, UTF-8; D44), or `undefined`. */
export function basicCredentials(authorization: string | undefined): CustomerCredentials | undefined {
  if (authorization === undefined || authorization.length > maxBasicLength) return undefined;
  const encoded = basic.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const decoded = decodeUtf8(Buffer.from(encoded, 'base64'));
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === undefined || colon < 1) return undefined;
  const username = decoded.slice(0, colon);
  const code = decoded.slice(colon + 1);
  if (username.length > limits.username || code === '' || code.length > maxCodeLength) return undefined;
  return isSafeText(decoded) ? { username, code } : undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
