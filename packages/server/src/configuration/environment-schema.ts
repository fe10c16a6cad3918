import type { SigningKey } from '@calends/core';
import { secretRuleBrokenBy } from '@calends/core/operations';
import { smtpNotifier } from '@calends/notifier-email';
import { twilioOptionsFromUrl } from '@calends/notifier-sms';
import { isIP } from 'node:net';
import * as z from 'zod';
import { parseAdminPages } from './admin-pages.js';
import { parseDatabaseAddress, parseReaders } from './database-address.js';
import { parseLimits } from './limits.js';
import { checkedBy, readBy } from './setting-forms.js';

const minSecretBytes = 32;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const secret = checkedBy(secretRuleBrokenBy);

/**
 * Secrets separated by commas; the first signs. A comma that belongs to one is written with a backslash before it, and so is a blank
 * that one of several begins or ends with: the others come from the way in which lists are written.
 */
const secrets = z.string().transform((given, context): readonly string[] => {
  const parts = given.split(/(?<!\\),/);
  const list = (parts.length > 1 ? parts.map(withoutOuterBlanks) : parts).map((one) => one.replaceAll('\\,', ','));
  const [rule] = list.flatMap((one) => secretRuleBrokenBy(one) ?? []);
  const differ = new Set(list).size === list.length;
  if (rule === undefined && differ) return list;
  const message = rule ?? 'must be different secrets';
  const hint = list.length > 1 ? String.raw` (each of several, separated by commas; a comma inside one is \,)` : '';
  context.addIssue({ code: 'custom', message: `${message}${hint}` });
  return z.NEVER;
});

function withoutOuterBlanks(part: string): string {
  return part.replace(/^\s*(?:\\(?=\s))?/, '').replace(/(?:\\(\s))?\s*$/, '$1');
}

/** `id:secret`, at most two, separated by commas; the first signs. */
function parseSigningKeys(text: string): readonly SigningKey[] | undefined {
  const keys = text.split(',').map((part) => {
    const [, id = '', given = ''] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(part.trim()) ?? [];
    return { id, secret: given };
  });
  const areUsable = keys.every((key) => key.id !== '' && Buffer.byteLength(key.secret) >= minSecretBytes);
  const differ = new Set(keys.map(({ id }) => id)).size === keys.length;
  return areUsable && differ && keys.length <= 2 ? keys : undefined;
}

const signingKeys = readBy(
  parseSigningKeys,
  `must be one or two of <id>:<secret of at least ${minSecretBytes} bytes> with different ids, separated by a comma`,
);

const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
    error: 'must be a whole number from 0 to 65535',
  })
  .transform(Number);

/** What can be listened on, and stand in an address. */
const host = z
  .string()
  .refine((text) => isIP(text) !== 0 || (/^[^\s:/?#@[\]\\%]+$/.test(text) && URL.canParse(`http://${text}`)), {
    error: 'must be a host name or an address, without port and brackets',
  });

const database = readBy(
  parseDatabaseAddress,
  'must be memory:, sqlite:<file> without a query, sqlite::memory:, postgres://… or mysql://… with a database and each part percent-encoded, the last without a query but ssl-mode',
);

const readers = readBy(parseReaders, 'must be postgres://… with a database; several are separated by commas');

/** https, or http where nothing leaves the machine. */
const keySetAddress = z.string().refine(
  (text) => {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname, username, password } = new URL(text);
    const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
    return username === '' && password === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
  },
  { error: 'must be an https address, or http on a loopback address, without user name and password' },
);

/** What a claim of a token must be, to the letter. */
const claim = z
  .string()
  .refine((text) => text === text.trim(), { error: 'must not be blank, nor begin or end with a blank' });

const publicAddress = z
  .string()
  .refine(
    (text) => {
      if (!URL.canParse(text)) return false;
      const { protocol, username, password, search, hash } = new URL(text);
      return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
    },
    { error: 'must be an http or https address without user name, query and fragment' },
  )
  .transform((text) => new URL(text).href.replace(/\/+$/, ''));

const mailServer = checkedBy((text) => ruleBrokenBy(() => smtpNotifier({ url: text })));

const smsProvider = checkedBy((text) => ruleBrokenBy(() => twilioOptionsFromUrl(text))).transform(twilioOptionsFromUrl);

/** The notifiers check their addresses themselves; their messages hold no values, and begin with names of functions. */
function ruleBrokenBy(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [first = ''] = error.message.replace(/^\w+:\s*(?:- )?(?:url: )?/, '').split('\n');
    return first;
  }
}

const adminPages = readBy(parseAdminPages, 'must be public, off, <port> or <address>:<port>');

const limits = readBy(
  parseLimits,
  'must be off, or some of address=5/60, application=50/600 and concurrent=200, separated by commas',
);

const number = (form: RegExp, error: string) => z.string().regex(form, { error }).transform(Number);

const proxies = number(/^\d{1,2}$/, 'must be the number of proxies in front, from 0 to 99');

const processes = number(/^(?:[1-9]|[1-5]\d|6[0-4])$/, 'must be a whole number from 1 to 64');

const connections = number(/^[1-9]\d{0,5}$/, 'must be a whole number from 1 to 999999');

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });

/** Whoever means production gets it or is told so: every other word opens doors. */
const mode = z.string().refine((text) => text === 'production' || text.trim().toLowerCase() !== 'production', {
  error: 'must have no capital letters and no blanks around it where it means production',
});

/** The variables that the server reads; an empty one counts as not set. */
export const environmentSchema = z.object({
  PORT: port.default(3000),
  HOST: host.default('127.0.0.1'),
  DATABASE_URL: database.default({ kind: 'sqlite', filename: './data/calends.db' }),
  CALENDS_READERS: readers.optional(),
  CALENDS_POOLER: z.literal('transaction', { error: 'must be transaction' }).optional(),
  CALENDS_CREATE_DATABASE: onOrOff.optional(),
  CALENDS_CONFIG: z.string().optional(),
  CALENDS_JWT_SECRET: secret.optional(),
  CALENDS_JWKS_URL: keySetAddress.optional(),
  CALENDS_JWT_ISSUER: claim.optional(),
  CALENDS_JWT_AUDIENCE: claim.optional(),
  CALENDS_ORGANIZATION_CLAIM: z.enum(['required', 'optional'], { error: 'must be required or optional' }).optional(),
  CALENDS_SECRET: secrets.optional(),
  CALENDS_SIGNING_KEYS: signingKeys.optional(),
  CALENDS_PUBLIC_URL: publicAddress.optional(),
  SMTP_URL: mailServer.optional(),
  CALENDS_SMS_URL: smsProvider.optional(),
  CALENDS_CUSTOMER_PAGES: onOrOff.default('on'),
  CALENDS_OTP_REQUESTS: onOrOff.optional(),
  CALENDS_AVAILABILITY: onOrOff.optional(),
  CALENDS_LIMITS: limits.optional(),
  CALENDS_TRUST_PROXY: proxies.default(0),
  CALENDS_ENGINE: z.enum(['proven', 'unproven']).default('proven'),
  CALENDS_MAX_CONNECTIONS: connections.default(1000),
  CALENDS_PROCESSES: processes.default(1),
  CALENDS_PROCESSES_ON_SQLITE: onOrOff.default('off'),
  CALENDS_MIGRATE: onOrOff.default('on'),
  CALENDS_WORKER: onOrOff.default('on'),
  CALENDS_METRICS: onOrOff.default('on'),
  CALENDS_ADMIN: adminPages.optional(),
  NODE_ENV: mode.optional(),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

/** The variables after reading. */
export type Variables = z.output<typeof environmentSchema>;
