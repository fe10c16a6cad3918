import { type EndpointAuthentication, readHeaderMap, type WebhookEndpoint } from '@calends/core/notifier';
import { type Allowances, urlFault } from './address/address-rules.js';
import { secretFault } from './signature/webhook-secret.js';

/**
 * Why nothing could ever be sent to an endpoint, or `undefined`; asks no name server.
 *
 * The text names the setting and the rule, and holds nothing of its value.
 */
export function endpointFault(endpoint: WebhookEndpoint): string | undefined {
  const { url, secret, headers, authentication } = endpoint;
  return (
    named('url', urlFault(url, endpoint)) ??
    named('secret', secretFault(secret)) ??
    named('headers', headers === undefined ? undefined : headersFault(headers)) ??
    (authentication === undefined ? undefined : authenticationFault(authentication, endpoint))
  );
}

function named(setting: string, fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `${setting} ${fault}`;
}

function headersFault(headers: Readonly<Record<string, string>>): string | undefined {
  const reading = readHeaderMap(headers);
  return reading.ok ? undefined : `break the rules of notificationHeaders: ${reading.fault}`;
}

function authenticationFault(authentication: EndpointAuthentication, allowances: Allowances): string | undefined {
  if (authentication.type === 'oauth2')
    return named('authentication.tokenUrl', urlFault(authentication.tokenUrl, allowances));
  // RFC 7617, section 2.
  return authentication.username.includes(':') ? 'authentication.username has a colon in it' : undefined;
}
