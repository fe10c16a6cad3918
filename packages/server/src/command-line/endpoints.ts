import { limits } from '@calends/model';
import type { Command } from 'commander';
import type { EndpointStep } from '../commands/endpoints.js';
import { addExamples, addVariables, type VariableName } from './help-texts.js';
import type { Ask } from './asked.js';
import { idOf, organizationOption } from './option-values.js';

interface Options {
  readonly application: string;
  readonly organization?: string;
  readonly since?: string;
}

interface Line {
  readonly step: EndpointStep;
  readonly description: string;
  readonly example: string;
}

const lines: readonly Line[] = [
  { step: 'list', description: 'list the web hook endpoints of an application', example: '' },
  { step: 'show', description: 'show a web hook endpoint and what failed last', example: ' crm' },
  { step: 'enable', description: 'send to a disabled web hook endpoint again', example: ' crm' },
  { step: 'disable', description: 'send nothing more to a web hook endpoint', example: ' crm' },
  { step: 'test', description: 'make one signed call of the type TEST, from here', example: ' crm' },
  {
    step: 'replay',
    description: 'have what failed for a web hook endpoint sent again by the running server',
    example: ' crm --since 2026-11-01T00:00:00Z',
  },
];

/** `calends notifications endpoints …` (D78). */
export function addEndpoints(group: Command, ask: Ask, variables: readonly VariableName[]): void {
  const below = group
    .command('endpoints')
    .usage('<command>')
    .description(
      'enable, test and replay web hook endpoints\n\nIt works on the database itself (DATABASE_URL), as an administrator of the organization.',
    )
    .summary('enable, test and replay web hook endpoints; calends notifications endpoints --help');
  addExamples(below, [
    'calends notifications endpoints list --application app-1',
    'calends notifications endpoints enable --help',
  ]);
  addVariables(below, variables);
  for (const line of lines) addLine(below, ask, line, variables);
}

function addLine(
  below: Command,
  ask: Ask,
  { step, description, example }: Line,
  variables: readonly VariableName[],
): void {
  const line = below.command(step).description(description);
  if (step !== 'list')
    line.argument('<id>', 'id of the endpoint in the settings of the application', idOf('id', limits.id));
  line.requiredOption('--application <id>', 'whose endpoints', idOf('--application', limits.id));
  line.addOption(organizationOption('whose application'));
  if (step === 'replay') line.requiredOption('--since <time>', 'what has failed since then, ISO 8601');
  line.action(() => {
    const { application, organization, since } = line.opts<Options>();
    const [endpointId = ''] = line.args;
    const request = { action: 'endpoints', step, organizationId: organization, applicationId: application } as const;
    ask({ name: 'notifications', request: { ...request, endpointId, since } });
  });
  addExamples(line, [`calends notifications endpoints ${step}${example} --application app-1 --organization org-1`]);
  addVariables(line, variables);
}
