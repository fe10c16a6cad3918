import { parseDuration, type Role, roles } from '@calends/core';
import { parseArgs } from 'node:util';
import type { TokenRequest } from './commands/token.js';
import { didYouMean } from './configuration/nearest-name.js';
import { firstTokensValidFor } from './secrets/first-steps.js';

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help'; readonly text: string }
  | { readonly name: 'version' | 'serve' | 'migrate' | 'openapi' }
  | { readonly name: 'token'; readonly request: TokenRequest };

/** A command line that is not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Shown by `calends --help`. */
export const usage = `Usage: calends <command>

  serve     run the server (what \`npm start\` does)
  token     print a bearer token that the server accepts; calends token --help
  migrate   bring the tables of the database up to date
  openapi   print the OpenAPI 3.1 document

  --help, --version

The environment configures it: PORT, HOST, DATABASE_URL, CALENDS_CONFIG, CALENDS_JWT_SECRET or CALENDS_JWKS_URL,
CALENDS_JWT_ISSUER, CALENDS_JWT_AUDIENCE, CALENDS_SECRET, CALENDS_PUBLIC_URL, NODE_ENV, LOG_LEVEL.
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

const commands = ['serve', 'token', 'migrate', 'openapi'] as const;
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
