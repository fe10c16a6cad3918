import { type Operation, operations, problems, roleConditions, type RoleCondition } from '@calends/http-contract';
import { fieldErrorCodes, errorCodes, type Role } from '@calends/model';
import { conformanceCases, conformanceLevels, rules } from '@calends/store-conformance';
import { format, type FormatConfig } from 'oxfmt';
import { read } from './documents.js';
import { type Member, membersOf } from './interfaces.js';

/** The parts of documents that come out of the catalogue or of the sources, by the name in their markers. */
export const generatedParts = {
  'role-table': { document: 'docs/guides/access-rules.md', render: roleTable },
  'problem-codes': { document: 'docs/guides/errors.md', render: problemTable },
  'field-codes': { document: 'docs/guides/errors.md', render: fieldCodes },
  'status-table': { document: 'docs/guides/errors.md', render: statusTable },
  'store-methods': { document: 'docs/guides/write-a-store.md', render: storeMethods },
  'change-parts': { document: 'docs/guides/write-a-store.md', render: changeParts },
  'store-rules': { document: 'docs/guides/write-a-store.md', render: storeRules },
  ports: { document: 'docs/guides/use-inversify.md', render: portTable },
  'http-options': { document: 'packages/http/README.md', render: httpOptions },
  packages: { document: 'README.md', render: packageTable },
} as const;

/** A document with its generated parts made again, formatted as the project formats Markdown. */
export async function withGeneratedParts(document: string): Promise<string> {
  let text = read(document);
  for (const [name, part] of Object.entries(generatedParts)) {
    if (part.document !== document) continue;
    const [begin, end] = [`<!-- generated: ${name} -->`, '<!-- end of generated part -->'];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from === -1 || to === -1) throw new Error(`${document} has no place for ${name}.`);
    text = `${text.slice(0, from)}${begin}\n\n${part.render()}\n\n${text.slice(to)}`;
  }
  const { code, errors } = await format(document, text, JSON.parse(read('.oxfmtrc.json')) as FormatConfig);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return code;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Families of operations, by where their paths begin. */
export const families = [
  { family: 'v2', title: 'Appointments v2', base: '/api/v2/appointments' },
  { family: 'v1', title: 'Appointments v1', base: '/api/appointments' },
  { family: 'notifications', title: 'Notifications', base: '/api/notifications' },
  { family: 'customers', title: 'Customers and calendars', base: '/api' },
  { family: 'availability', title: 'Availability', base: '/api/v2' },
] as const;

/** One table for each family, with routes below its path: short enough to be read. */
function byFamily(render: (rows: readonly Operation[], route: (operation: Operation) => string) => string): string {
  return families
    .map(({ family, title, base }) => {
      const rows = operations.filter((each) => each.family === family);
      const route = ({ method, path }: Operation): string => `\`${method} ${path.slice(base.length)}\``;
      return `### ${title}\n\nBelow \`${base}\`:\n\n${render(rows, route)}`;
    })
    .join('\n\n');
}

function named({ summary, deprecated, optional }: Operation): string {
  const remarks = [...(deprecated ? ['deprecated'] : []), ...(optional === undefined ? [] : ['only when turned on'])];
  return remarks.length === 0 ? summary : `${summary} (${remarks.join(', ')})`;
}

const columns: readonly { readonly role: Role; readonly title: string }[] = [
  { role: 'ROLE_AGENT', title: 'Agent' },
  { role: 'ROLE_SUPERVISOR', title: 'Supervisor' },
  { role: 'ROLE_CLIENT_SERVICE', title: 'Client service' },
  { role: 'ROLE_CUSTOMER', title: 'Customer' },
  { role: 'ROLE_ADMIN', title: 'Admin' },
];

const conditionNames = Object.keys(roleConditions) as readonly RoleCondition[];

function roleCell(operation: Operation, role: Role): string {
  if (operation.authentication === 'one-time-password') return role === 'ROLE_CUSTOMER' ? 'one-time password' : '–';
  if (operation.authentication === 'none') return 'no token';
  const rule = operation.roles.find((each) => each.role === role);
  if (rule === undefined) return '–';
  return rule.when === undefined ? 'yes' : `yes (${String(conditionNames.indexOf(rule.when) + 1)})`;
}

function roleTable(): string {
  const tables = byFamily((rows, route) =>
    table(
      ['Route', 'Operation', ...columns.map(({ title }) => title)],
      rows.map((operation) => [
        route(operation),
        named(operation),
        ...columns.map(({ role }) => roleCell(operation, role)),
      ]),
    ),
  );
  const notes = conditionNames.map((name, index) => `- (${String(index + 1)}) ${roleConditions[name]}`);
  return `${tables}\n\nThe numbers:\n\n${notes.join('\n')}`;
}

function problemTable(): string {
  return table(
    ['Code', 'Status', 'Meaning'],
    errorCodes.map((code) => {
      const { status, otherStatuses, title, description } = problems[code];
      return [`\`${code}\``, [status, ...otherStatuses].join(', '), `**${title}.** ${description}`];
    }),
  );
}

function fieldCodes(): string {
  return fieldErrorCodes.map((code) => `\`${code}\``).join(', ');
}

function statusTable(): string {
  return byFamily((rows, route) =>
    table(
      ['Route', 'In the interface document', 'Besides'],
      rows.map((operation) => [
        route(operation),
        operation.statuses.join(', '),
        operation.additiveStatuses.filter((status) => !operation.statuses.includes(status)).join(', '),
      ]),
    ),
  );
}

/** What a table says of a member: without numbers of decisions, which lead nowhere from there. */
function said({ name, meaning }: Member): string {
  if (meaning === '') throw new Error(`${name} has no TSDoc.`);
  return meaning
    .replaceAll(/ \((?:D\d+(?:, )?)+\)/g, '')
    .replaceAll(/, D\d+\)/g, ')')
    .replaceAll('|', '\\|');
}

const firstSentence = (text: string): string => text.split(/(?<=\.) (?=[A-Z`])/)[0] ?? '';

const storeParts = [
  ['store', 'SchedulingStore'],
  ['store.appointments', 'AppointmentStore'],
  ['store.customers', 'CustomerStore'],
  ['store.notifications', 'NotificationStore'],
  ['store.events', 'EventStore'],
  ['store.requests', 'RequestStore'],
  ['store.audit', 'AuditStore'],
  ['store.availability', 'AvailabilityStore'],
  ['store.retention', 'RetentionStore'],
  ['store.keys', 'KeyStore'],
] as const;

function storeMethods(): string {
  return storeParts
    .map(([place, name]) => {
      const rows = membersOf(name).map((member) => [
        `\`${member.name}\`${member.optional ? ' (optional)' : ''}`,
        firstSentence(said(member)),
      ]);
      return `### \`${place}\`: ${name}\n\n${table(['Member', 'What it promises'], rows)}`;
    })
    .join('\n\n');
}

/** The sentences that cases stand for, by the first level that has some. */
function storeRules(): string {
  const all = conformanceCases.flatMap(({ cases }) => cases);
  const levelOf = (name: string) =>
    conformanceLevels.find((level) => all.some((each) => each.rule === name && each.level === level));
  return conformanceLevels
    .map((level) => {
      const rows = Object.entries(rules).filter(([name]) => levelOf(name) === level);
      const cells = rows.map(([name, sentence]) => [
        `<a id="${name}"></a>\`${name}\``,
        sentence,
        String(all.filter(({ rule }) => rule === name).length),
      ]);
      return `#### Level \`${level}\`\n\n${table(['Rule', 'Sentence', 'Cases'], cells)}`;
    })
    .join('\n\n');
}

function changeParts(): string {
  return table(
    ['Part of the change', 'What it is'],
    membersOf('Change').map((member) => [`\`${member.name}\``, said(member)]),
  );
}

function portTable(): string {
  return table(
    ['Token', 'Port'],
    membersOf('Ports').map((member) => [`\`portTokens.${member.name}\``, said(member)]),
  );
}

function httpOptions(): string {
  return table(
    ['Option', 'Meaning'],
    membersOf('SchedulingHttpOptions').map((member) => [`\`${member.name}\``, said(member)]),
  );
}

interface Manifest {
  readonly name: string;
  readonly description: string;
}

/** In the order of the reference. */
function packageTable(): string {
  const { entryPoints } = JSON.parse(read('typedoc.json')) as { readonly entryPoints: readonly string[] };
  return table(
    ['Package', 'What it is'],
    entryPoints.map((folder) => {
      const { name, description } = JSON.parse(read(`${folder}/package.json`)) as Manifest;
      return [`[\`${name}\`](${folder}/README.md)`, description];
    }),
  );
}
