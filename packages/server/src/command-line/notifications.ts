import { limits, notificationChannels, notificationStates, notificationTypes } from '@calends/model';
import { type Command, Option } from 'commander';
import { addEndpoints } from './endpoints.js';
import { addExamples, addVariables, databaseVariables } from './help-texts.js';
import type { Ask } from './asked.js';
import { idOf, organizationOption, pageOf } from './option-values.js';

interface ListOptions {
  readonly application: string;
  readonly organization?: string;
  readonly type?: readonly string[];
  readonly channel?: readonly string[];
  readonly status?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly page?: string;
  readonly json?: true;
}

const variables = [...databaseVariables, 'CALENDS_CONFIG', 'CALENDS_SECRET', 'NODE_ENV'] as const;

/** `calends notifications …`. */
export function addNotifications(program: Command, ask: Ask): void {
  const group = program
    .command('notifications')
    .usage('<command>')
    .description(
      'list what was sent, retry one, or administer web hook endpoints\n\nIt works on the database itself (DATABASE_URL), as a supervisor of the organization. A retry is made by a running server.',
    )
    .summary('list what was sent, retry one, enable web hook endpoints; calends notifications --help');
  addExamples(group, ['calends notifications list --application app-1', 'calends notifications retry --help']);
  addVariables(group, variables);
  addList(group, ask);
  addRetry(group, ask);
  addEndpoints(group, ask, variables);
}

function addList(group: Command, ask: Ask): void {
  const line = group
    .command('list')
    .description('list the notifications of an application')
    .requiredOption('--application <id>', 'whose notifications', idOf('--application', limits.id))
    .addOption(organizationOption('whose they are'))
    .addOption(severalOf('--type <type>', 'only of this type', notificationTypes))
    .addOption(severalOf('--channel <channel>', 'only over this channel', notificationChannels))
    .addOption(severalOf('--status <status>', 'only with this status', notificationStates))
    .option('--from <time>', 'made from then on, ISO 8601 (default: all)')
    .option('--to <time>', 'made before then, ISO 8601 (default: until now)')
    .option('--page <n>', 'which page (default: 1)', pageOf('--page'))
    .option('--json', 'print what GET /api/notifications/ answers, instead of a table (default: a table)')
    .action((options: ListOptions) => {
      const { application, organization, type, channel, status, from, to, page, json = false } = options;
      const filters = { type, channel, status, from, to, pageNumber: page };
      ask({
        name: 'notifications',
        request: { action: 'list', organizationId: organization, applicationId: application, filters, json },
      });
    });
  addExamples(line, [
    'calends notifications list --application app-1 --status FAILED --status PENDING --page 2',
    'calends notifications list --application app-1 --organization org-2 --type REMINDER --channel SMS --json',
    'calends notifications list --application app-1 --from 2026-11-01T00:00:00Z --to 2026-12-01T00:00:00Z',
  ]);
  addVariables(line, variables);
}

function addRetry(group: Command, ask: Ask): void {
  const line = group
    .command('retry')
    .description('have a failed or pending notification tried again by the running server')
    .argument('<id>', 'id of the notification, as `calends notifications list` shows it', idOf('id', limits.id))
    .addOption(organizationOption('whose they are'))
    .action((id: string, { organization }: { readonly organization?: string }) => {
      ask({ name: 'notifications', request: { action: 'retry', organizationId: organization, id } });
    });
  addExamples(line, ['calends notifications retry 01890a5d-b0a1-7c11-8a55-2f6f0f1f9b10 --organization org-1']);
  addVariables(line, variables);
}

/** The words are examples for help and completion: the interface judges them. */
function severalOf(flags: string, meaning: string, words: readonly string[]): Option {
  return new Option(flags, `${meaning}; may be repeated (default: all)`)
    .choices(words)
    .argParser((word, others: readonly string[] | undefined) => [...(others ?? []), word]);
}
