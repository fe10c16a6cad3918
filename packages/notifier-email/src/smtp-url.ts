import type { SMTPTransportOptions } from 'nodemailer';
import { domainToASCII } from 'node:url';

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`.
 *
 * @throws TypeError that says what is wrong without showing any of it: there is a password in it
 */
export function parseSmtpUrl(text: string): SMTPTransportOptions {
  const url = typeof text === 'string' ? parsed(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol)) throw fault('must be smtp:// or smtps://');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw fault('must end after host and port; percent-encode user and password, and give the rest as options');
  }
  const host = /^\[.*\]$/.test(url.hostname) ? url.hostname.slice(1, -1) : domainToASCII(decoded(url.hostname));
  if (host === '') throw fault('must name a host');
  const secure = url.protocol === 'smtps:';
  const user = decoded(url.username);
  const pass = decoded(url.password);
  if ((user === '') !== (pass === '')) throw fault('must have both user and password, or neither');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(user === '' ? {} : { auth: { user, pass } }),
  };
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault('user and password must be percent-encoded');
  }
}

function fault(problem: string): TypeError {
  return new TypeError(`smtpNotifier: url: ${problem}`);
}
