import { type TwilioOptions, twilioSettings } from './twilio-options.js';

const parameters = ['apiKey', 'callback', 'messagingService'] as const;

/**
 * Reads the options from one address, as it stands in an environment variable.
 *
 * `https://<account SID>:<auth token>@api.twilio.com?callback=<address>&messagingService=<SID>`: the query is optional;
 * `callback` becomes `statusCallback` and must be percent-encoded if it has a query of its own. With `apiKey=<SID>` the
 * password is the secret of that key. A path is kept, for providers that have their API below one. http is taken for a
 * loopback address alone.
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
