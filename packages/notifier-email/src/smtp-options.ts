import { unknownOptions } from '@calends/core/notifier';
import type { SMTPPoolOptions, SMTPTransportOptions } from 'nodemailer';
import type { ConnectionOptions } from 'node:tls';
import { domainToASCII } from 'node:url';

/** How connections are kept for the next mail. */
export interface SmtpPoolOptions {
  /** Connections at once, default 5. Mails beyond that wait; their waiting counts towards `timeout`. */
  readonly maxConnections?: number | undefined;
  /** Mails over one connection before it is replaced, default 100. */
  readonly maxMessages?: number | undefined;
}

/** Where mails go and how. Either `url` or `transport` is given. */
export interface SmtpNotifierOptions {
  /**
   * `smtp://user:password@host:port` (default port 587, encrypted with STARTTLS if the server offers it) or `smtps://…`
   * (default port 465, encrypted from the start). User and password are percent-encoded.
   */
  readonly url?: string | undefined;
  /** nodemailer's SMTP options instead of `url`: OAuth2, DKIM, proxies, well-known services. */
  readonly transport?: SMTPTransportOptions | undefined;
  /** Default true: connections are kept open for the next mail. `false`: one connection for each mail. */
  readonly pool?: boolean | SmtpPoolOptions | undefined;
  /** Longest time that `send` takes, milliseconds, 10 to 600 000. Default 20 000. The waits within are shorter. */
  readonly timeout?: number | undefined;
  /** Right side of each Message-ID. Default: the domain of the message's `from`. */
  readonly messageIdDomain?: string | undefined;
  /**
   * Whether nothing is sent over a connection that is not encrypted. Default: true where there is a password and the
   * server is not on this machine, so that no password crosses a network in the clear.
   */
  readonly requireTls?: boolean | undefined;
  /** For the encryption: `ca`, `servername`, `rejectUnauthorized` and the like. */
  readonly tls?: ConnectionOptions | undefined;
}

/** The options, checked and with their defaults. */
export type SmtpSettings = Readonly<ReturnType<typeof readOptions>>;

const known = ['url', 'transport', 'pool', 'timeout', 'messageIdDomain', 'requireTls', 'tls'];
const knownOfPool = ['maxConnections', 'maxMessages'];
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/**
 * Checks the options of `smtpNotifier`.
 *
 * @throws TypeError that names the option, and never shows a value
 */
export function readOptions(options: SmtpNotifierOptions) {
  checkNames('options', options, known);
  const { url, transport, timeout = 20_000, messageIdDomain, requireTls, tls } = options;
  if ((url === undefined) === (transport === undefined)) throw fault('url', 'give either url or transport');
  if (!isWhole(timeout, 10, 600_000)) throw fault('timeout', 'must be milliseconds, 10 to 600000');
  if (requireTls !== undefined && typeof requireTls !== 'boolean') throw fault('requireTls', 'must be true or false');
  if (tls !== undefined && !isRecord(tls)) throw fault('tls', 'must be an object');
  const server = url === undefined ? checkedTransport(transport) : parseSmtpUrl(url);
  const deadline = timeout - Math.min(1_000, Math.floor(timeout / 10));
  const setUp = Math.min(10_000, Math.floor(timeout / 2));
  return {
    timeout,
    /** When an attempt is given up, so that its outcome is told before `timeout` is over. */
    deadline,
    messageIdDomain: checkedDomain('smtpNotifier', messageIdDomain),
    transport: {
      ...server,
      ...poolOptions(options.pool ?? server.pool ?? true),
      requireTLS:
        requireTls ?? server.requireTLS ?? (server.auth !== undefined && !loopback.test(server.host ?? 'localhost')),
      ...(tls === undefined ? {} : { tls }),
      dnsTimeout: shorter(server.dnsTimeout, setUp),
      connectionTimeout: shorter(server.connectionTimeout, setUp),
      greetingTimeout: shorter(server.greetingTimeout, setUp),
      socketTimeout: shorter(server.socketTimeout, Math.floor(deadline * 0.8)),
      // One more connection for a mail whose connection turned out to be closed before any of it was sent.
      maxRequeues: 1,
      // A connection that is given up is given up at once: nothing outlives an abort or close().
      socketCloseTimeout: 0,
    },
  };
}

function checkedTransport(transport: SmtpNotifierOptions['transport']): SMTPTransportOptions {
  if (!isRecord(transport) || 'send' in transport) throw fault('transport', "must be nodemailer's SMTP options");
  if ('url' in transport) throw fault('transport.url', 'give the address as url');
  // Its answers come one for each recipient, and after the mail.
  if ('lmtp' in transport) throw fault('transport.lmtp', 'LMTP is not supported');
  return transport;
}

function poolOptions(pool: boolean | SmtpPoolOptions): SMTPPoolOptions {
  if (typeof pool === 'boolean') return { pool };
  checkNames('pool', pool, knownOfPool);
  for (const name of ['maxConnections', 'maxMessages'] as const) {
    const value = pool[name];
    if (value !== undefined && !isWhole(value, 1, 100_000))
      throw fault(`pool.${name}`, 'must be a whole number from 1');
  }
  return { ...pool, pool: true };
}

/** @throws TypeError for what cannot stand on the right side of a Message-ID */
export function checkedDomain(owner: string, domain: string | undefined): string | undefined {
  if (domain === undefined) return undefined;
  const ascii = typeof domain === 'string' ? domainToASCII(domain) : '';
  if (!/^[a-z0-9.-]+$/.test(ascii)) throw new TypeError(`${owner}: messageIdDomain: must be a host name`);
  return ascii;
}

function checkNames(at: string, options: unknown, names: readonly string[]): void {
  if (!isRecord(options)) throw fault(at, 'must be an object');
  const [unknown] = unknownOptions(options, names);
  if (unknown !== undefined) throw fault(at, unknown);
}

/** A wait that the host chose, if it fits into the attempt. */
function shorter(chosen: number | undefined, max: number): number {
  return typeof chosen === 'number' && chosen > 0 ? Math.min(chosen, max) : max;
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(option: string, problem: string): TypeError {
  return new TypeError(`smtpNotifier: ${option}: ${problem}`);
}

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`.
 *
 * @throws TypeError that says what is wrong without showing any of it: there is a password in it
 */
export function parseSmtpUrl(text: string): SMTPTransportOptions {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol))
    throw fault('url', 'must be smtp:// or smtps://');
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') {
    throw fault('url', 'must end after host and port; percent-encode user and password, and give the rest as options');
  }
  const host = /^\[.*\]$/.test(url.hostname) ? url.hostname.slice(1, -1) : domainToASCII(decoded(url.hostname));
  if (host === '') throw fault('url', 'must name a host');
  const secure = url.protocol === 'smtps:';
  const user = decoded(url.username);
  const pass = decoded(url.password);
  if ((user === '') !== (pass === '')) throw fault('url', 'must have both user and password, or neither');
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    ...(user === '' ? {} : { auth: { user, pass } }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw fault('url', 'user and password must be percent-encoded');
  }
}
