import { didYouMean, formatDuration, limits, parseDuration, type Role, roles } from '@calends/model';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { tokensValidFor } from '../secrets/tokens-valid-for.js';
import { addExamples, addVariables } from './help-texts.js';
import type { Ask } from './asked.js';
import { idOf, organizationOption } from './option-values.js';

interface Options {
  readonly role: readonly [Role, ...Role[]];
  readonly sub?: string;
  readonly organization?: string;
  readonly applications?: readonly string[];
  readonly conference?: string;
  readonly expires: number;
}

/** `calends token`. */
export function addToken(program: Command, ask: Ask): void {
  const line = program
    .command('token')
    .description(
      'print a bearer token that the server accepts\n\nIt is signed with CALENDS_JWT_SECRET, or with the secret that `calends serve` keeps beside its database.',
    )
    .summary('print a bearer token that the server accepts; calends token --help')
    .addOption(
      new Option('--role <role>', 'what its bearer may do; may be repeated')
        .choices(roles)
        .argParser((word, others: readonly Role[] | undefined) => [...(others ?? []), roleOf(word)])
        .makeOptionMandatory(),
    )
    .option(
      '--sub <id>',
      'who it is for; for agents the agent id (default: by role, for example agent-1)',
      idOf('--sub', limits.agentId),
    )
    .addOption(organizationOption('organization of its bearer'))
    .option(
      '--applications <a,b>',
      'only these applications (default: all of the organization)',
      (word): readonly string[] => word.split(',').map((id) => idOf('--applications', limits.id)(id.trim())),
    )
    .option(
      '--conference <id>',
      'lets a customer get this appointment (default: none)',
      idOf('--conference', limits.id),
    )
    .addOption(
      new Option('--expires <duration>', 'how long it holds, ISO 8601')
        .default(tokensValidFor, formatDuration(tokensValidFor))
        .argParser(durationOf),
    )
    .action(({ role, sub, organization, applications, conference, expires }: Options) => {
      const request = {
        roles: role,
        sub,
        organizationId: organization,
        applicationIds: applications,
        conferenceId: conference,
        validFor: expires,
      };
      ask({ name: 'token', request });
    });
  addExamples(line, [
    'calends token --role ROLE_AGENT --role ROLE_SUPERVISOR --sub agent-7',
    'calends token --role ROLE_CLIENT_SERVICE --organization org-2 --applications app-1,app-2 --expires PT1H',
    'calends token --role ROLE_CUSTOMER --conference 01890a5d-ac96-774b-bcce-b302099a8057',
  ]);
  addVariables(line, [
    ...(['CALENDS_JWT_SECRET', 'CALENDS_JWT_ISSUER', 'CALENDS_JWT_AUDIENCE'] as const),
    ...(['CALENDS_CONFIG', 'DATABASE_URL', 'NODE_ENV'] as const),
  ]);
}

function roleOf(word: string): Role {
  const role = roles.find((known) => known === word);
  if (role !== undefined) return role;
  throw new InvalidArgumentError(`--role: must be one of ${roles.join(', ')}${didYouMean(word, roles)}`);
}

function durationOf(word: string): number {
  const milliseconds = parseDuration(word, 'iso8601');
  if (milliseconds !== undefined && milliseconds >= 1000) return milliseconds;
  throw new InvalidArgumentError('--expires: must be an ISO 8601 duration of at least a second, such as PT12H');
}
