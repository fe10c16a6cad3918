import { type Command, InvalidArgumentError } from 'commander';
import { isCalendarDate, limits, parseInstant } from '@calends/model';
import { addExamples, addVariables, databaseVariables } from './help-texts.js';
import type { Ask } from './asked.js';
import { idOf, organizationOption } from './option-values.js';

interface Options {
  readonly application?: string;
  readonly organization?: string;
  readonly from?: string;
  readonly agent?: readonly string[];
  readonly duration?: string;
  readonly why?: string;
}

/** Variables that the commands of availability read. */
export const availabilityVariables = [
  ...databaseVariables,
  'CALENDS_CONFIG',
  'CALENDS_AVAILABILITY',
  'CALENDS_SECRET',
  'NODE_ENV',
] as const;

/** `calends availability`. */
export function addAvailability(program: Command, ask: Ask): void {
  const line = program
    .command('availability')
    .description(
      'print the free times of a service for a week, or why one is free or not\n\nIt works on the database itself (DATABASE_URL), as a supervisor of the organization.',
    )
    .summary('print the free times of a service for a week, or why one is free or not')
    .argument('<service>', 'id of the service, as `calends services list` shows it', idOf('service', limits.id))
    .option(
      '--application <id>',
      'whose service (default: the first of CALENDS_CONFIG, else app-1)',
      idOf('--application', limits.id),
    )
    .addOption(organizationOption('whose they are'))
    .option('--from <date>', 'first day, YYYY-MM-DD in the zone of the service (default: today)', dateOf)
    .option('--agent <id>', 'only this agent; may be repeated (default: all that the service names)', several)
    .option('--duration <duration>', 'only this one of the service (default: each; with --why the first)')
    .option(
      '--why <time>',
      'why this start is free or not, ISO 8601; without an offset in the zone of the service (default: print the week)',
      timeOf,
    )
    .action((serviceId: string, { application, organization, agent, ...rest }: Options) => {
      const request = { organizationId: organization, serviceId, applicationId: application, agentIds: agent };
      ask({ name: 'availability', request: { ...request, ...rest } });
    });
  addExamples(line, [
    'calends availability consultation',
    'calends availability consultation --application app-1 --organization org-1 --from 2026-12-01 --agent agent-1',
    'calends availability consultation --duration PT30M --why 2026-12-01T09:00',
  ]);
  addVariables(line, availabilityVariables);
}

function dateOf(text: string): string {
  if (isCalendarDate(text)) return text;
  throw new InvalidArgumentError('--from: must be a date, YYYY-MM-DD');
}

function timeOf(text: string): string {
  if (parseInstant(text) !== undefined || parseInstant(`${text}Z`) !== undefined) return text;
  throw new InvalidArgumentError('--why: must be ISO 8601, such as 2026-12-01T09:00 or 2026-12-01T09:00+01:00');
}

const agentOf = idOf('--agent', limits.agentId);
const several = (word: string, others: readonly string[] | undefined): readonly string[] => [
  ...(others ?? []),
  agentOf(word),
];
