import type { Caller, CustomerCredentials, Scheduling } from '@calends/core';
import { callerFault, inTime, ownCaller } from '@calends/core/operations';
import { dropRejection, dropRejectionsIn } from '@calends/core/store';
import type { TokenVerifier } from '../authentication/token-verifier.js';
import type { HttpRequest } from '../message.js';
import type { MountedOperation } from '../operations/mount.js';
import { BrokenCaller, ForeignSite, unauthenticated } from '../refusal.js';
import { isSafeText, limits } from '@calends/model';

/** Who a request is from; `undefined` where counting is public (D28), of visitors, and where nothing is asked for. */
export type Identity = Caller | CustomerCredentials | undefined;

/** How callers are told. */
export interface Authentication {
  readonly scheduling: Pick<Scheduling, 'customers'>;
  /** Absent: the host alone says who calls. */
  readonly verifier: TokenVerifier | undefined;
  readonly publicOrigin: string | undefined;
  readonly countIsPublic: boolean;
  readonly availabilityIsPublic: boolean;
}

/**
 * Step 1: who calls, before the body is read.
 *
 * @throws Refusal 401 for credentials that are missing, of the wrong kind or not valid (D40, D44); 403 for a caller by cookie
 *   whom a page of another site sent (D77)
 */
export function authenticate(
  { operation }: MountedOperation,
  request: HttpRequest,
  authentication: Authentication,
): Promise<Identity> | Identity {
  switch (operation.authentication) {
    case 'one-time-password':
      return basicCredentials(request.header('authorization')) ?? refuse();
    case 'bearer-unless-public':
      return authentication.countIsPublic ? undefined : callerOf(request, authentication);
    case 'bearer-or-visitor':
      return authentication.availabilityIsPublic
        ? callerOrVisitor(request, authentication)
        : callerOf(request, authentication);
    case 'none':
      return undefined;
    case 'bearer':
      return callerOf(request, authentication);
  }
}

/** A bearer token that is nobody's is refused, and not taken for none: who sends one is not limited as a visitor. */
async function callerOrVisitor(request: HttpRequest, authentication: Authentication): Promise<Caller | undefined> {
  return isVisitor(request) ? knownCaller(request, authentication) : callerOf(request, authentication);
}

/** Whether a request brings no bearer token: only then it may be a visitor's. */
export function isVisitor(request: HttpRequest): boolean {
  return bearerToken(request.header('authorization')) === undefined;
}

async function callerOf(request: HttpRequest, authentication: Authentication): Promise<Caller> {
  return (await knownCaller(request, authentication)) ?? refuse();
}

/** A caller in the right form: one without a list of roles would pass for a customer with a code, of whom no role is asked. */
function inForm(given: unknown, source: string): Caller {
  const caller = ownCaller(given);
  const fault = callerFault(caller);
  if (fault === undefined) return caller;
  // Both: getters of the host make another promise each time.
  [given, caller].forEach(dropRejectionsIn);
  throw new BrokenCaller(source, fault);
}

/**
 * Who the request says that it is from, `undefined` for nobody. A bearer token decides alone where somebody verifies tokens: a
 * session beside it lends it nothing.
 */
async function knownCaller(
  request: HttpRequest,
  { scheduling, verifier, publicOrigin }: Authentication,
): Promise<Caller | undefined> {
  const token = bearerToken(request.header('authorization'));
  if (token !== undefined) {
    // Whether a token is the library's own (D45) is told by its first bytes, so this costs the others nothing.
    const customer = scheduling.customers.verifyCustomerToken(token);
    if (customer !== undefined) return customer;
    if (verifier !== undefined) {
      const known = await inTime(() => verifier.verify(token));
      return inForm(known ?? refuse(), 'authentication (verify, or claims)');
    }
  }
  // Hosts in plain JavaScript have no compiler that tells them.
  const said = (await inTime(() => request.caller?.())) ?? undefined;
  if (said === undefined) return undefined;
  const { caller, by }: { readonly caller: unknown; readonly by?: unknown } = said;
  dropRejection(by);
  if (typeof caller !== 'object') {
    dropRejectionsIn(said);
    throw new TypeError('caller(request) must answer { caller, by } or undefined.');
  }
  if (by !== 'header' && !isFromThisSite(request, publicOrigin)) {
    dropRejectionsIn(said);
    throw new ForeignSite();
  }
  return caller === null ? refuse() : inForm(caller, 'caller(request)');
}

function refuse(): never {
  throw unauthenticated();
}

/**
 * Tells whether a request that a browser gave its cookies to may change something (D77): GET and HEAD change nothing;
 * everything else must come from a page of the host, or from nobody's page.
 *
 * `Sec-Fetch-Site` decides where the browser sends it, else `Origin`, which must be there.
 */
function isFromThisSite(request: HttpRequest, publicOrigin: string | undefined): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (publicOrigin !== undefined) return origin === publicOrigin;
  return new URL(origin).host === request.header('host')?.toLowerCase();
}

/** Longer tokens are refused before anything is decoded (security model). */
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
