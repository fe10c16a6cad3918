import { unknownOptions } from '@calends/core/notifier';
import { checkIsObject } from '@calends/core/store';
import { referenceParameter } from './receipt-reference.js';

/** How `twilioNotifier` reaches its provider. */
export interface TwilioOptions {
  /** The account that sends. */
  readonly accountSid: string;
  /** The auth token of the account; exactly one of `authToken` and `apiKey` must be given. */
  readonly authToken?: string | undefined;
  /** An API key of the account in the place of its auth token. */
  readonly apiKey?: { readonly sid: string; readonly secret: string } | undefined;
  /** Where the API is, up to `/2010-04-01`; https, or http on a loopback address. Default `https://api.twilio.com`. */
  readonly baseUrl?: string | undefined;
  /** Sends through a messaging service in the place of the application's sender. Default none. */
  readonly messagingServiceSid?: string | undefined;
  /**
   * Public address at which the provider tells what became of a message; see `readReceipt`. https, or http on a loopback
   * address. Default none: the provider is polled.
   */
  readonly statusCallback?: string | undefined;
  /** Longest time of one request, milliseconds, 1 to 600,000. Default 10,000. */
  readonly timeout?: number | undefined;
  /** Segments that a text may take, 1 to 255; a longer one is refused for good and not cut. Default 10. */
  readonly longest?: number | undefined;
}

/** The options with their defaults. */
export type TwilioSettings = Readonly<ReturnType<typeof twilioSettings>>;

const optionNames: readonly string[] = [
  'accountSid',
  'authToken',
  'apiKey',
  'baseUrl',
  'messagingServiceSid',
  'statusCallback',
  'timeout',
  'longest',
] satisfies readonly (keyof TwilioOptions)[];

/** Hosts in plain JavaScript, and variables that are not set, have no compiler that tells them. */
const isId = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{1,64}$/.test(value);
const isApiKey = (value: TwilioOptions['apiKey'] | null): boolean => isId(value?.sid) && isSecret(value?.secret);
const isSecret = (value: unknown): boolean => typeof value === 'string' && value !== '';

/**
 * Checks the options and adds the defaults.
 *
 * @throws TypeError that lists every fault and no value: a secret may stand where it does not belong
 */
export function twilioSettings(options: TwilioOptions) {
  checkIsObject('twilioNotifier: options', options);
  const faults = faultsOf(options);
  if (faults.length > 0) throw new TypeError(`twilioNotifier: ${faults.map((fault) => `\n  - ${fault}`).join('')}`);
  const { accountSid, authToken, apiKey, baseUrl = 'https://api.twilio.com' } = options;
  const { origin, pathname } = new URL(baseUrl);
  const pair = apiKey === undefined ? `${accountSid}:${authToken ?? ''}` : `${apiKey.sid}:${apiKey.secret}`;
  return {
    /** Where messages are made: ends in `/Messages`. */
    messages: `${origin}${pathname.replace(/\/+$/, '')}/2010-04-01/Accounts/${accountSid}/Messages`,
    /** The value of the Authorization header. */
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    messagingServiceSid: options.messagingServiceSid,
    statusCallback: options.statusCallback,
    timeout: options.timeout ?? 10_000,
    longest: options.longest ?? 10,
  };
}

function faultsOf(options: TwilioOptions): readonly string[] {
  const { accountSid, authToken, apiKey, baseUrl, messagingServiceSid, statusCallback } = options;
  const { timeout = 1, longest = 1 } = options;
  const isWhole = (value: number, greatest: number) => Number.isInteger(value) && value >= 1 && value <= greatest;
  return [
    ...unknownOptions(options, optionNames),
    ...fault(!isId(accountSid), 'accountSid: must be an account SID'),
    ...fault((authToken === undefined) === (apiKey === undefined), 'authToken or apiKey: exactly one must be given'),
    ...fault(authToken !== undefined && !isSecret(authToken), 'authToken: must not be empty'),
    ...fault(apiKey !== undefined && !isApiKey(apiKey), 'apiKey: must have a sid and a secret'),
    ...fault(baseUrl !== undefined && !isAddress(baseUrl), `baseUrl: ${addressRule}, without query`),
    ...fault(
      messagingServiceSid !== undefined && !isId(messagingServiceSid),
      'messagingServiceSid: must be the SID of a messaging service',
    ),
    ...fault(
      statusCallback !== undefined && !isCallback(statusCallback),
      `statusCallback: ${addressRule} and parameter ${referenceParameter}`,
    ),
    ...fault(!isWhole(timeout, 600_000), 'timeout: must be a whole number of milliseconds, 1 to 600000'),
    ...fault(!isWhole(longest, 255), 'longest: must be a whole number, 1 to 255'),
  ];
}

const addressRule = 'must be an https address, or http on a loopback address, without user name and fragment';

function fault(isFault: boolean, text: string): readonly string[] {
  return isFault ? [text] : [];
}

function isAddress(text: string): boolean {
  return isReachable(text) && new URL(text).search === '';
}

function isCallback(text: string): boolean {
  return isReachable(text) && !new URL(text).searchParams.has(referenceParameter);
}

function isReachable(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text) || text.includes('#')) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return `${username}${password}` === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}

const parameters = ['apiKey', 'callback', 'messagingService'] as const;

/**
 * Reads the options from one address, as it stands in an environment variable.
 *
 * `https://<account SID>:<auth token>@api.twilio.com?callback=<address>&messagingService=<SID>`: the query is optional;
 * `callback` becomes `statusCallback` and must be percent-encoded if it has a query of its own. With `apiKey=<SID>` the
 * password is the secret of that key. A path is kept, for providers that have their API below one. http is taken for a
 * loopback address only.
 *
 * @throws TypeError that names the fault and never the address, which holds a secret
 */
export function twilioOptionsFromUrl(address: string): TwilioOptions {
  if (!URL.canParse(address)) throw new TypeError('twilioOptionsFromUrl: must be an address');
  const { protocol, host, pathname, username, password, searchParams, hash } = new URL(address);
  const unknown = [...searchParams.keys()].find((name) => !parameters.some((known) => known === name));
  if (unknown !== undefined || hash !== '') {
    throw new TypeError(`twilioOptionsFromUrl: the query may have ${parameters.join(', ')}, and nothing follows it`);
  }
  const secret = decoded(password);
  const [apiKey, statusCallback, messagingServiceSid] = parameters.map((name) => searchParams.get(name) ?? undefined);
  const options: TwilioOptions = {
    accountSid: decoded(username),
    ...(apiKey === undefined ? { authToken: secret } : { apiKey: { sid: apiKey, secret } }),
    baseUrl: `${protocol}//${host}${pathname.replace(/\/+$/, '')}`,
    ...(statusCallback === undefined ? {} : { statusCallback }),
    ...(messagingServiceSid === undefined ? {} : { messagingServiceSid }),
  };
  twilioSettings(options);
  return options;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError('twilioOptionsFromUrl: a % in user name or password must be written %25');
  }
}
