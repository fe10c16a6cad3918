import { boundedLimiter, type Limiter, type LimitNumbers } from '@calends/core/operations';
import { checkOptionNames } from '@calends/core/store';
import { bodyLimits, optionalOperations } from '@calends/http-contract';
import { jwtVerifier } from './authentication/jwt-verifier.js';
import { jwtOptionNames, type JwtVerifierOptions, type TokenVerifier } from './authentication/token-verifier.js';
import { randomRequestIds, type RequestIds } from './request/headers.js';

/** How the HTTP services are served; only `authentication` has no default. */
export interface SchedulingHttpOptions {
  /**
   * How bearer tokens are verified: by a secret, a public key or a key set (D40), or by the host's own verifier. `host`: not at
   * all, the `caller` of the door alone says who calls (D77), so no door goes without one; the library's own tokens of customers hold
   * there too.
   */
  readonly authentication: JwtVerifierOptions | TokenVerifier | 'host';
  /**
   * Address under which browsers reach the host, for callers by cookie (D77): `https://clinic.example`. Default: whatever name
   * the request asked for in `Host`.
   */
  readonly publicUrl?: string | undefined;
  /** `none` lets anybody count appointments, for public slot pickers (D28). Default `bearer`. */
  readonly countAuth?: 'bearer' | 'none' | undefined;
  /** Serve `GET /api/v2/appointments/count/overlapping` (additive, D29). Default false. */
  readonly countOverlapping?: boolean | undefined;
  /**
   * Serve `POST /api/customers/one-time-passwords` (additive, D44): anybody can have messages sent to an address, as far as
   * `limits` let them. Default false.
   */
  readonly oneTimePasswords?: boolean | undefined;
  /** Serve `POST /api/customers/sessions`, which exchanges manage links (additive, D45). Default false. */
  readonly customerSessions?: boolean | undefined;
  /** Serve `GET /api/calendar-feeds/{code}.ics` (additive). Default false. */
  readonly calendarFeeds?: boolean | undefined;
  /** Serve `/api/notifications/webhooks/endpoints` and what is below it, for administrators (additive, D78). Default false. */
  readonly webhookEndpoints?: boolean | undefined;
  /**
   * Serve `/api/v2/availability`, `/api/v2/holds`, `/api/v2/services` and `/api/v2/hours` (additive), over a library that has
   * `availability` on: refused over any other. Default false.
   */
  readonly availability?: boolean | undefined;
  /**
   * `none` lets anybody find, explain and hold, as far as the library's own `availability` lets visitors, and within `limits`;
   * who sends a token is its caller. Default `bearer`.
   */
  readonly availabilityAuth?: 'bearer' | 'none' | undefined;
  /** Greatest size of a request body in bytes. Default 262,144 (D8); operations with a smaller limit of their own keep it. */
  readonly bodyLimit?: number | undefined;
  /**
   * Milliseconds until the answer to a request begins, without what the client takes to send its body; then 503
   * `unavailable`, and nothing of it is committed any more unless its commit has begun. Default 10,000.
   */
  readonly requestTimeout?: number | undefined;
  /**
   * Limits of requests (D66): `off`, other numbers than the defaults, or a limiter of your own, which several services may
   * share. Default: 5 requests a second from one address (60 at once) and 50 for one application where no bearer token is
   * asked for, counted in this process.
   */
  readonly limits?: 'off' | LimitNumbers | Limiter | undefined;
  /**
   * Header for request ids, in requests and answers; one with a meaning of its own (`host`, `content-length`) is refused. Default
   * `x-request-id`.
   */
  readonly requestIdHeader?: string | undefined;
  /** Makes the id of a request that brings none, or an unsafe one. Default: random UUIDs. */
  readonly requestIds?: RequestIds | undefined;
  /**
   * Told about every 500 and 503, about callers in a form that is none (401), and about requests that the host had begun to answer itself,
   * for logs; must not throw. Default: nobody.
   */
  readonly onFault?: ((fault: unknown, requestId: string) => void) | undefined;
  /**
   * Told the route of every request, `/api/v2/appointments/{id}` for example, before it is answered and in its
   * async context: for `http.route` of traces and for metrics. Without the path that the host mounts the services under. Must
   * not throw. Default: nobody.
   */
  readonly onRoute?: ((route: string) => void) | undefined;
}

/** Names of all options of `schedulingHttp`, for adapters that take more. */
export const schedulingHttpOptionNames: readonly string[] = [
  ...['authentication', 'publicUrl', 'countAuth', 'availabilityAuth', ...optionalOperations, 'bodyLimit'],
  ...['requestTimeout', 'limits', 'requestIdHeader', 'requestIds', 'onFault', 'onRoute'],
];
/**
 * Headers with a meaning: an id in one of them would break the framing of answers, write over a header of the services, or be read as
 * what it is not.
 */
const meaningful: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host', 'via', 'date'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'proxy-connection', 'server'],
  ...['content-type', 'content-length', 'content-encoding', 'content-language', 'content-disposition', 'content-range'],
  ...['content-location', 'content-security-policy', 'x-content-type-options', 'strict-transport-security'],
  ...['authorization', 'www-authenticate', 'cookie', 'set-cookie', 'origin', 'referer', 'user-agent', 'sec-fetch-site'],
  ...['access-control-allow-origin', 'access-control-allow-credentials', 'forwarded', 'x-forwarded-for'],
  ...[
    'x-forwarded-host',
    'x-forwarded-proto',
    'accept',
    'accept-encoding',
    'accept-language',
    'accept-ranges',
    'range',
  ],
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range', 'etag', 'last-modified'],
  ...['cache-control', 'age', 'expires', 'pragma', 'vary', 'allow', 'location', 'retry-after'],
  ...['idempotency-key', 'idempotency-replayed', 'calends-hold', 'calends-consistency'],
]);
const fieldName = /^[\w!#$%&'*+.^`|~-]{1,64}$/;

/** The options with their defaults, checked. */
export type CheckedOptions = ReturnType<typeof checkOptions>;

/**
 * Checks the options at start.
 *
 * @throws TypeError that names the option
 */
export function checkOptions(options: SchedulingHttpOptions) {
  demand('authentication', isObject(options), 'is required');
  checkOptionNames('options', options, schedulingHttpOptionNames);
  const { countAuth = 'bearer', availabilityAuth = 'bearer' } = options;
  const { bodyLimit = bodyLimits.appointment, requestTimeout = 10_000 } = options;
  const {
    publicUrl,
    requestIdHeader = 'x-request-id',
    requestIds = randomRequestIds,
    onFault = () => undefined,
    onRoute,
  } = options;
  // Hosts in plain JavaScript have no compiler that tells them.
  demand('countAuth', ['bearer', 'none'].includes(countAuth), 'must be `bearer` or `none`');
  demand('availabilityAuth', ['bearer', 'none'].includes(availabilityAuth), 'must be `bearer` or `none`');
  for (const name of optionalOperations) {
    demand(name, ['boolean', 'undefined'].includes(typeof options[name]), 'must be a boolean');
  }
  demand('bodyLimit', Number.isInteger(bodyLimit) && bodyLimit >= 1024, 'must be an integer of at least 1024 bytes');
  const isTimeout = Number.isInteger(requestTimeout) && requestTimeout > 0 && requestTimeout < 2 ** 31;
  demand('requestTimeout', isTimeout, 'must be a number of milliseconds');
  demand('publicUrl', publicUrl === undefined || isWebAddress(publicUrl), 'must be an http(s) address');
  const isHeader = typeof requestIdHeader === 'string' && fieldName.test(requestIdHeader);
  demand('requestIdHeader', isHeader, 'must be the name of a header');
  const isFree = !meaningful.has(requestIdHeader.toLowerCase());
  demand('requestIdHeader', isFree, 'must be the name of a header that has no other meaning');
  demand('requestIds', typeof requestIds === 'function', 'must be a function');
  demand('onFault', typeof onFault === 'function', 'must be a function');
  demand('onRoute', onRoute === undefined || typeof onRoute === 'function', 'must be a function');
  return {
    verifier: verifierOf(options.authentication),
    publicOrigin: publicUrl === undefined ? undefined : new URL(publicUrl).origin,
    countIsPublic: countAuth === 'none',
    availabilityIsPublic: availabilityAuth === 'none',
    turnedOn: new Set(optionalOperations.filter((name) => options[name] === true)),
    bodyLimit,
    requestTimeout,
    limiter: checkedLimiter(options.limits),
    requestIdHeader: requestIdHeader.toLowerCase(),
    requestIds,
    onFault,
    onRoute,
  };
}

function checkedLimiter(limits: SchedulingHttpOptions['limits']): Limiter {
  try {
    return boundedLimiter(limits);
  } catch (fault) {
    throw new TypeError(`options.limits: ${fault instanceof Error ? fault.message : 'not usable'}.`, { cause: fault });
  }
}

function verifierOf(authentication: SchedulingHttpOptions['authentication']): TokenVerifier | undefined {
  if (authentication === 'host') return undefined;
  const given: unknown = authentication;
  demand('authentication', given !== undefined && given !== null, 'is required');
  demand('authentication', isObject(given), "must be an object, or 'host'");
  return isVerifier(authentication) ? authentication : jwtVerifier(authentication);
}

function isVerifier(authentication: JwtVerifierOptions | TokenVerifier): authentication is TokenVerifier {
  if (!('verify' in authentication)) return false;
  demand('authentication.verify', typeof authentication.verify === 'function', 'must be a function');
  // Fields of an object with a class are its own affair.
  const given: Readonly<Record<string, unknown>> = isPlainObject(authentication) ? { ...authentication } : {};
  const ignored = jwtOptionNames.filter((name) => given[name] !== undefined);
  const fault = `verify stands alone; beside it would be ignored: ${ignored.join(', ')}`;
  demand('authentication', ignored.length === 0, fault);
  return true;
}

function isWebAddress(address: unknown): address is string {
  return (
    typeof address === 'string' && URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol)
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function demand(option: string, holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`options.${option}: ${rule}.`);
}
