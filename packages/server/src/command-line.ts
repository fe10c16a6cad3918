import { parseDuration, type Role, roles } from '@calends/core';
import { parseArgs } from 'node:util';
import type { NotificationsRequest } from './commands/notifications.js';
import type { TokenRequest } from './commands/token.js';
import { didYouMean } from './configuration/nearest-name.js';
import { firstTokensValidFor } from './secrets/first-steps.js';

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help'; readonly text: string }
  | { readonly name: 'version' | 'serve' | 'migrate' | 'openapi' }
  | { readonly name: 'token'; readonly request: TokenRequest }
  | { readonly name: 'notifications'; readonly request: NotificationsRequest };

/** A command line that is not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Shown by `calends --help`. */
export const usage = `Usage: calends <command>

  serve           run the server (what \`npm start\` does)
  token           print a bearer token that the server accepts; calends token --help
  migrate         bring the tables of the database up to date
  openapi         print the OpenAPI 3.1 document
  notifications   list what was sent, or retry one; calends notifications --help

  --help, --version

The environment configures it: PORT, HOST, DATABASE_URL, CALENDS_CREATE_DATABASE, CALENDS_CONFIG, CALENDS_JWT_SECRET or
CALENDS_JWKS_URL, CALENDS_JWT_ISSUER, CALENDS_JWT_AUDIENCE, CALENDS_SECRET, CALENDS_SIGNING_KEYS, CALENDS_PUBLIC_URL,
SMTP_URL, CALENDS_SMS_URL, CALENDS_CUSTOMER_PAGES, CALENDS_OTP_REQUESTS, CALENDS_LIMITS, CALENDS_TRUST_PROXY,
CALENDS_MAX_CONNECTIONS, CALENDS_WORKER, CALENDS_ENGINE, CALENDS_METRICS, NODE_ENV, LOG_LEVEL.
`;

const tokenUsage = `Usage: calends token --role <role> [options]

  --role <role>           ${roles.join(', ')}; may be repeated
  --sub <id>              who it is for; for agents the agent id (default: by role, for example agent-1)
  --organization <id>     default org-1
  --applications <a,b>    only these applications (default: all of the organization)
  --conference <id>       lets a customer get this appointment
  --expires <duration>    ISO 8601 (default PT12H)

It is signed with CALENDS_JWT_SECRET, or with the secret that \`calends serve\` keeps beside its database.
`;

const notificationsUsage = `Usage: calends notifications list --application <id> [options]
       calends notifications retry <id> [--organization <id>]

  --organization <id>     default org-1
  --type <type>           CREATE, REMINDER, …; may be repeated, as --channel and --status may
  --channel <channel>     EMAIL, SMS, WEBHOOKS
  --status <status>       INITIALIZED, PENDING, DELIVERED, FAILED, CANCELLED
  --from <time>           made from then on, ISO 8601
  --to <time>             made before then
  --page <n>              default 1
  --json                  print what GET /api/notifications/ answers, instead of a table

It works on the database itself (DATABASE_URL), as a supervisor of the organization. A retry is made by a running server.
`;

const commands = ['serve', 'token', 'migrate', 'openapi', 'notifications'] as const;
const help = { type: 'boolean', short: 'h' } as const;
const version = { type: 'boolean', short: 'v' } as const;

/**
 * Reads the command line.
 *
 * @throws UsageError for anything that is not understood
 */
export function parseCommandLine(words: readonly string[]): Command {
  const [first, ...rest] = words;
  if (first === undefined) throw new UsageError('a command is missing');
  if (first.startsWith('-')) {
    const { values } = parse(words, { help, version });
    return values.version === true ? { name: 'version' } : { name: 'help', text: usage };
  }
  if (first === 'help') return { name: 'help', text: usage };
  const name = commands.find((command) => command === first);
  if (name === undefined) throw new UsageError(`there is no such command${didYouMean(first, commands)}`);
  if (name === 'token') return tokenCommand(rest);
  if (name === 'notifications') return notificationsCommand(rest);
  return parse(rest, { help }).values.help === true ? { name: 'help', text: usage } : { name };
}

function tokenCommand(words: readonly string[]): Command {
  const text = { type: 'string' } as const;
  const { values } = parse(words, {
    help,
    role: { type: 'string', multiple: true },
    sub: text,
    organization: text,
    applications: text,
    conference: text,
    expires: text,
  });
  if (values.help === true) return { name: 'help', text: tokenUsage };
  const [role, ...more] = (values.role ?? []).map(roleOf);
  if (role === undefined) throw new UsageError(`--role is missing: ${roles.join(', ')}`);
  const request = {
    roles: [role, ...more] as const,
    sub: values.sub,
    organizationId: values.organization,
    applicationIds: values.applications?.split(',').map((id) => id.trim()),
    conferenceId: values.conference,
    validFor: values.expires === undefined ? firstTokensValidFor : durationOf(values.expires),
  };
  return { name: 'token', request };
}

function notificationsCommand(words: readonly string[]): Command {
  const [first = '', ...rest] = words;
  const actions = ['list', 'retry'] as const;
  if (first.startsWith('-') && parse(words, { help }).values.help === true)
    return { name: 'help', text: notificationsUsage };
  const action = actions.find((each) => each === first);
  if (action === undefined) throw new UsageError(`notifications: must be list or retry${didYouMean(first, actions)}`);
  return action === 'list' ? listCommand(rest) : retryCommand(rest);
}

function listCommand(words: readonly string[]): Command {
  const text = { type: 'string' } as const;
  const several = { type: 'string', multiple: true } as const;
  const { values } = parse(words, {
    help,
    application: text,
    organization: text,
    type: several,
    channel: several,
    status: several,
    from: text,
    to: text,
    page: text,
    json: { type: 'boolean' },
  });
  if (values.help === true) return { name: 'help', text: notificationsUsage };
  const { application, organization, page, json = false, type = [], channel = [], status = [], from, to } = values;
  if (application === undefined) throw new UsageError('--application is missing');
  const filters = { applicationId: [application], type, channel, status, from, to, pageNumber: page };
  return { name: 'notifications', request: { action: 'list', organizationId: organization, filters, json } };
}

function retryCommand(words: readonly string[]): Command {
  const [id = '', ...rest] = words;
  const { values } = parse(id.startsWith('-') ? words : rest, { help, organization: { type: 'string' } });
  if (values.help === true) return { name: 'help', text: notificationsUsage };
  if (id === '' || id.startsWith('-')) throw new UsageError('notifications retry: the id is missing');
  return { name: 'notifications', request: { action: 'retry', organizationId: values.organization, id } };
}

function roleOf(word: string): Role {
  const role = roles.find((known) => known === word);
  if (role === undefined) throw new UsageError(`--role: must be one of ${roles.join(', ')}${didYouMean(word, roles)}`);
  return role;
}

function durationOf(word: string): number {
  const milliseconds = parseDuration(word, 'iso8601');
  if (milliseconds !== undefined && milliseconds >= 1000) return milliseconds;
  throw new UsageError('--expires: must be an ISO 8601 duration of at least a second, such as PT12H');
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'] & object;

function parse<const O extends Options>(words: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...words], options, strict: true, allowPositionals: false });
  } catch (error) {
    // Node adds a hint for programs that take any word; the first sentence names the option.
    const [sentence = ''] = error instanceof Error ? error.message.split(/\. |\n/, 1) : [];
    throw new UsageError(sentence, { cause: error });
  }
}
