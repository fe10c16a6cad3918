import type { OptionalOperation } from '@calends/http-contract';
import { jwtVerifier } from './authentication/jwt-verifier.js';
import type { JwtVerifierOptions } from './authentication/jwt-options.js';
import type { TokenVerifier } from './authentication/token-verifier.js';
import { checkOptionNames } from './option-names.js';
import { randomRequestIds, type RequestIds } from './request/request-id.js';

/** How the HTTP services are served; only `authentication` has no default. */
export interface SchedulingHttpOptions {
  /** How bearer tokens are verified: by a secret, a public key or a key set (D40), or by the host's own verifier. */
  readonly authentication: JwtVerifierOptions | TokenVerifier;
  /** `none` lets anybody count appointments, for public slot pickers (D28). Default `bearer`. */
  readonly countAuth?: 'bearer' | 'none';
  /** Serve `GET /api/v2/appointments/count/overlapping` (additive, D29). Default false. */
  readonly countOverlapping?: boolean;
  /**
   * Serve `POST /api/customers/one-time-passwords` (additive, D44): anybody can have messages sent to an address, so put a
   * limiter in front of it. Default false.
   */
  readonly oneTimePasswords?: boolean;
  /** Serve `POST /api/customers/sessions`, which exchanges manage links (additive, D45). Default false. */
  readonly customerSessions?: boolean;
  /** Serve `GET /api/calendar-feeds/{code}.ics` (additive). Default false. */
  readonly calendarFeeds?: boolean;
  /** Greatest size of a request body in bytes. Default 262,144 (D8). */
  readonly bodyLimit?: number;
  /** Header for request ids, in requests and answers. Default `x-request-id`. */
  readonly requestIdHeader?: string;
  /** Makes the id of a request that brings none, or an unsafe one. Default: random UUIDs. */
  readonly requestIds?: RequestIds;
  /** Told about every 500 and 503, for logs; must not throw. Default: nobody. */
  readonly onFault?: (fault: unknown, requestId: string) => void;
}

/** Operations beyond the documents, each turned on by the option of its name. */
const optionalOperations = ['countOverlapping', 'oneTimePasswords', 'customerSessions', 'calendarFeeds'] as const;

const optionNames = [
  ...['authentication', 'countAuth', ...optionalOperations, 'bodyLimit'],
  ...['requestIdHeader', 'requestIds', 'onFault'],
];
const defaultBodyLimit = 256 * 1024;
const fieldName = /^[\w!#$%&'*+.^`|~-]{1,64}$/;

/** The options with their defaults, checked. */
export interface CheckedOptions {
  readonly verifier: TokenVerifier;
  readonly countIsPublic: boolean;
  readonly turnedOn: ReadonlySet<OptionalOperation>;
  readonly bodyLimit: number;
  readonly requestIdHeader: string;
  readonly requestIds: RequestIds;
  readonly onFault: (fault: unknown, requestId: string) => void;
}

/**
 * Checks the options at start.
 *
 * @throws TypeError that names the option
 */
export function checkOptions(options: SchedulingHttpOptions): CheckedOptions {
  demand('authentication', isObject(options), 'is required');
  checkOptionNames('options', options, optionNames);
  const { countAuth = 'bearer', bodyLimit = defaultBodyLimit } = options;
  const { requestIdHeader = 'x-request-id', requestIds = randomRequestIds, onFault = () => undefined } = options;
  // Hosts in plain JavaScript have no compiler that tells them.
  demand('countAuth', ['bearer', 'none'].includes(countAuth), 'must be `bearer` or `none`');
  for (const name of optionalOperations) {
    demand(name, ['boolean', 'undefined'].includes(typeof options[name]), 'must be a boolean');
  }
  demand('bodyLimit', Number.isInteger(bodyLimit) && bodyLimit >= 1024, 'must be an integer of at least 1024 bytes');
  demand('requestIdHeader', fieldName.test(requestIdHeader), 'must be the name of a header');
  demand('requestIds', typeof requestIds === 'function', 'must be a function');
  demand('onFault', typeof onFault === 'function', 'must be a function');
  return {
    verifier: verifierOf(options.authentication),
    countIsPublic: countAuth === 'none',
    turnedOn: new Set(optionalOperations.filter((name) => options[name] === true)),
    bodyLimit,
    requestIdHeader: requestIdHeader.toLowerCase(),
    requestIds,
    onFault,
  };
}

function verifierOf(authentication: SchedulingHttpOptions['authentication']): TokenVerifier {
  demand('authentication', isObject(authentication), 'is required');
  return isVerifier(authentication) ? authentication : jwtVerifier(authentication);
}

function isVerifier(authentication: JwtVerifierOptions | TokenVerifier): authentication is TokenVerifier {
  return 'verify' in authentication && typeof authentication.verify === 'function';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function demand(option: string, holds: boolean, rule: string): void {
  if (!holds) throw new TypeError(`options.${option}: ${rule}.`);
}
