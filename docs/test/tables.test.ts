import { commitRefusals } from '@calends/core/store';
import { describe, expect, it } from 'vitest';
import { filesLike, read } from './documents.js';
import { kindsOf, membersOf, textsOf } from './interfaces.js';
import { metrics } from './metrics.js';

/** Cells of the first table whose head begins with these, without its head. */
function table(document: string, ...head: readonly string[]): readonly (readonly string[])[] {
  const lines = read(document).split('\n');
  const cells = (line: string): readonly string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const from = lines.findIndex((line) => line.startsWith('|') && head.every((name, at) => cells(line)[at] === name));
  const rows = lines.slice(from + 2);
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells);
}

const namesIn = (text = ''): readonly string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;
const namesOf = (name: string): readonly string[] => membersOf(name).map((member) => member.name);

describe('the table of options', () => {
  it.each([
    ['packages/notifier-sms/README.md', 'TwilioOptions'],
    ['packages/notifier-webhook/README.md', 'WebhookNotifierOptions'],
    ['packages/customer-pages/README.md', 'CustomerPagesOptions'],
    ['packages/publisher-nats/README.md', 'NatsPublisherOptions', 'PublisherOptions'],
    ['packages/publisher-rabbitmq/README.md', 'RabbitmqPublisherOptions', 'PublisherOptions'],
    ['packages/publisher-redis/README.md', 'RedisPublisherOptions', 'PublisherOptions'],
  ])('the table of options of %s has every member of %s', (document, name, ...inherited) => {
    const written = table(document, 'Option').flatMap(([option]) => namesIn(option));
    expect([...written].sort()).toEqual([name, ...inherited].flatMap(namesOf).sort());
  });

  it.each([
    ['openKnex', 'OpenKnexOptions'],
    ['migrate', 'MigrateOptions'],
  ])('the table of options of %s in the guide to the stores has every member of %s', (called, name) => {
    const written = table('docs/guides/choose-a-store.md', `Option of \`${called}\``);
    expect(written.flatMap(([option]) => namesIn(option)).sort()).toEqual([...namesOf(name)].sort());
  });
});

/** The item of a list that begins so, up to its next neighbour. */
const item = (document: string, beginning: string): string => {
  const [, rest = ''] = read(document).split(`\n- ${beginning}`);
  return rest.split(/\n(?:- |\n)/)[0] ?? '';
};

describe('the lists of READMEs', () => {
  it('the README of the SQL store names every code of a fault', () => {
    const [codes = ''] = /\(.*?\)/s.exec(item('packages/store-knex/README.md', 'Faults are')) ?? [];
    expect(namesIn(codes)).toEqual(textsOf('StoreErrorCode'));
  });

  it('the README of the core names every port', () => {
    const named = namesIn(item('packages/core/README.md', 'The outside world'));
    const ports = namesOf('Ports').map((name) => (name === 'settingsSource' ? 'applications' : name));
    expect([...named].sort()).toEqual(ports.sort());
  });
});

describe('the table of signals', () => {
  const rows = table('docs/guides/observe.md', 'Signal', 'When it comes', 'What it holds');

  it('the table of signals has every kind, with all that it holds', () => {
    const written = rows.flatMap(([types, , fields]) =>
      namesIn(types).map((type) => ({ type, fields: [...namesIn(fields)].sort() })),
    );
    expect(written).toEqual(kindsOf('Signal').map(({ type, fields }) => ({ type, fields: [...fields].sort() })));
  });
});

describe('the metrics of the server', () => {
  const made = metrics().map(({ name, labels }) => ({ name, labels: [...labels].sort() }));

  it('the metrics of the server stand in its README, with their labels', () => {
    const written = table('packages/server/README.md', 'metric', 'labels').map(([name, labels]) => ({
      name: namesIn(name)[0] ?? '',
      labels: [...namesIn(labels)].sort(),
    }));
    expect(made.length).toBeGreaterThan(15);
    expect(written.sort(byName)).toEqual([...made].sort(byName));
  });

  it('the metrics of the server are the only ones to alert on', () => {
    const named = table('docs/guides/going-to-production.md', 'Alert on').flatMap(([alert = '']) =>
      Array.from(alert.matchAll(/calends_\w+/g), ([name]) => name),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((each) => !made.some(({ name }) => name === each))).toEqual([]);
  });
});

describe('the guide of stores', () => {
  const guards = table('docs/guides/write-a-store.md', 'Part of the change', 'Holds when', 'Else');

  it('the guide of stores names parts of a change that exist', () => {
    const parts = namesOf('Change');
    const written = guards.map(([part]) => namesIn(part)[0]?.split('.')[0] ?? '');
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((part) => !parts.includes(part))).toEqual([]);
  });

  it('the guide of stores tells the refusals in the order in which they are told', () => {
    const told = guards.flatMap(([, , refusal]) => namesIn(refusal));
    expect([...new Set(told)]).toEqual(commitRefusals);
  });
});

describe('every package', () => {
  const folders = filesLike(/^packages\/[^/]+\/package\.json$/)
    .map((path) => path.replace('/package.json', ''))
    .sort();

  it('every package is in the list of workspaces, and in the reference', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { readonly workspaces: readonly string[] };
    const { entryPoints } = JSON.parse(read('typedoc.json')) as { readonly entryPoints: readonly string[] };
    expect([...workspaces].sort()).toEqual(folders);
    expect([...entryPoints].sort()).toEqual(folders);
  });

  it('every package is in the table of ARCHITECTURE.md', () => {
    const rows = table('ARCHITECTURE.md', 'Package (`@calends/…`)');
    expect(rows.flatMap(([name]) => namesIn(name).map((each) => `packages/${each}`)).sort()).toEqual(folders);
  });
});

describe('every guide', () => {
  it('every guide is in the site and in the README', () => {
    const guides = filesLike(/^docs\/guides\/[^/]+\.md$/);
    const { projectDocuments } = JSON.parse(read('typedoc.json')) as { readonly projectDocuments: readonly string[] };
    const readme = read('README.md');
    expect(guides.filter((path) => !projectDocuments.includes(path))).toEqual([]);
    expect(guides.filter((path) => !readme.includes(`(${path})`))).toEqual([]);
  });
});
