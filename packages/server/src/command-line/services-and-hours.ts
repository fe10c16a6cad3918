import { limits } from '@calends/model';
import type { Command } from 'commander';
import { availabilityVariables } from './availability.js';
import { addExamples, addVariables } from './help-texts.js';
import type { Ask } from './asked.js';
import { idOf, organizationOption } from './option-values.js';

interface Options {
  readonly organization?: string;
  readonly json?: true;
}

/** `calends services …`. */
export function addServices(program: Command, ask: Ask): void {
  const group = groupOf(program, 'services', 'list or import the services of an application');
  addExamples(group, ['calends services list --application app-1', 'calends services import --help']);
  const list = listOf(group, 'list the services of an application, archived ones too', 'GET /api/v2/services answers')
    .requiredOption('--application <id>', 'whose services', idOf('--application', limits.id))
    .action(({ organization, application, json }: Options & { readonly application: string }) => {
      ask({
        name: 'services',
        request: { action: 'list', organizationId: organization, applicationId: application, json: json === true },
      });
    });
  addExamples(list, ['calends services list --application app-1 --organization org-1 --json > services.json']);
  const load = group
    .command('import')
    .description('save the services of a file, as `calends services list --json` prints them')
    .argument('<file>', 'JSON: {"services": [{"id": "consultation", "rules": {…}}]}')
    .requiredOption('--application <id>', 'whose services they become', idOf('--application', limits.id))
    .addOption(organizationOption('whose they are'))
    .action((file: string, { organization, application }: Options & { readonly application: string }) => {
      ask({
        name: 'services',
        request: { action: 'import', organizationId: organization, applicationId: application, file },
      });
    });
  addExamples(load, ['calends services import services.json --application app-1 --organization org-1']);
  for (const line of [group, list, load]) addVariables(line, availabilityVariables);
}

/** `calends hours …`. */
export function addHours(program: Command, ask: Ask): void {
  const group = groupOf(program, 'hours', 'list or import the hours of agents and resources');
  addExamples(group, ['calends hours list', 'calends hours import --help']);
  const list = listOf(
    group,
    'list the hours of agents and resources, with their exceptions',
    'hours import takes',
  ).action(({ organization, json }: Options) => {
    ask({ name: 'hours', request: { action: 'list', organizationId: organization, json: json === true } });
  });
  addExamples(list, ['calends hours list --organization org-1 --json > hours.json']);
  const load = group
    .command('import')
    .description(
      'save the hours of a file: JSON as `calends hours list --json` prints it, or iCalendar with VAVAILABILITY (RFC 7953), whose weekly AVAILABLE parts become weekly rules',
    )
    .summary('save the hours of a file, JSON or iCalendar with VAVAILABILITY')
    .argument('<file>', 'JSON: {"hours": [{"actorId": "agent-1", "rules": {…}}]}, or iCalendar')
    .option(
      '--actor <id>',
      'whose hours a calendar has; of JSON only these (default: all of the file)',
      idOf('--actor', limits.agentId),
    )
    .addOption(organizationOption('whose they are'))
    .action((file: string, { organization, actor }: Options & { readonly actor?: string }) => {
      ask({ name: 'hours', request: { action: 'import', organizationId: organization, file, actorId: actor } });
    });
  addExamples(load, [
    'calends hours import hours.json --organization org-1',
    'calends hours import agent-1.ics --actor agent-1',
  ]);
  for (const line of [group, list, load]) addVariables(line, availabilityVariables);
}

function groupOf(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .usage('<command>')
    .description(
      `${description}\n\nIt works on the database itself (DATABASE_URL), as a supervisor of the organization.`,
    )
    .summary(`${description}; calends ${name} --help`);
}

function listOf(group: Command, description: string, printed: string): Command {
  return group
    .command('list')
    .description(description)
    .addOption(organizationOption('whose they are'))
    .option('--json', `print what ${printed}, instead of a table (default: a table)`);
}
