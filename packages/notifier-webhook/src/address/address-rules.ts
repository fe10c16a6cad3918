import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.js';

/** What an endpoint allows beyond https to a public address. */
export interface Allowances {
  readonly allowHttp?: boolean | undefined;
  readonly allowPrivateNetwork?: boolean | undefined;
}

/** The rule that every address of a private network breaks, as errors name it. */
export const notPublic = 'leads to an address that is not public; allowPrivateNetwork is off';

/**
 * Why nothing may be sent to a URL, or `undefined`; asks no name server.
 *
 * The host is judged as the URL parser of Node reads it: `127.1`, `0x7f000001`, `2130706433` and digits of other scripts
 * are all `127.0.0.1` by then. The text starts with a verb, for the name of the setting before it.
 */
export function urlFault(text: string, { allowHttp, allowPrivateNetwork }: Allowances): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is neither https nor http';
  if (url.protocol === 'http:' && allowHttp !== true) return 'is not https; allowHttp is off';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password in it';
  const host = hostOf(url);
  if (hasEmptyLabel(host)) return 'has an empty label in its host name';
  return allowPrivateNetwork === true || !isKnownPrivate(host) ? undefined : notPublic;
}

/** The host of a URL, an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function hasEmptyLabel(host: string): boolean {
  return isIP(host) === 0 && host.replace(/\.$/, '').split('.').includes('');
}

/** True for a literal that is not public, and for the names that are the machine itself (RFC 6761, section 6.3). */
function isKnownPrivate(host: string): boolean {
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
}
