import { defaultApplicationSettings } from '@calends/core';
import { readEnvironment } from '@calends/server';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../packages/server/src/exit-codes.js';
import { environmentSchema } from '../../packages/server/src/configuration/environment-schema.js';
import { codeBlocks, filesLike, read } from './documents.js';
import { membersOf } from './interfaces.js';

const guide = read('docs/guides/configuration.md');

/** Names in the first column of the table under a heading. */
function documented(heading: string, document = guide): readonly string[] {
  const [, section = ''] = document.split(`\n${heading}\n`);
  const [table = ''] = section
    .trim()
    .split('\n\n')
    .filter((paragraph) => paragraph.startsWith('|'));
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|')[1]?.trim().replaceAll('`', '') ?? '');
}

/** Every port is an option, but for the settings, which have one of their own. */
const ports = membersOf('Ports').filter((member) => member.name !== 'settingsSource');

describe('the guide for contributors', () => {
  it('the guide for contributors has every variable of the tests', () => {
    const used = filesLike(/^scripts\/.*\.m?[jt]s$|^packages\/[^/]+\/test\/.*\.ts$/).flatMap((path) =>
      Array.from(read(path).matchAll(/\bCALENDS_(?:TEST|REQUIRE)_[A-Z0-9_]*[A-Z0-9]\b/g), ([name]) => name),
    );
    const text = read('CONTRIBUTING.md');
    expect(new Set(used).size).toBeGreaterThan(5);
    expect([...new Set(used)].filter((name) => !text.includes(name))).toEqual([]);
  });
});

describe('the configuration guide', () => {
  it.each(Array.from(guide.matchAll(/^## .*: (?<name>\w+)$/gm), ([heading, name = '']) => ({ heading, name })))(
    'the configuration guide has every member of $name',
    ({ heading, name }) => {
      const members = [...membersOf(name), ...(name === 'SchedulingOptions' ? ports : [])];
      expect([...documented(heading)].sort()).toEqual(members.map((member) => member.name).sort());
    },
  );

  it('the configuration guide has every variable that the server reads, and so has the README of the server', () => {
    const variables = Object.keys(environmentSchema.shape);
    expect(documented('## The server')).toEqual(variables);
    expect(documented('## Environment', read('packages/server/README.md'))).toEqual(variables);
  });

  it('the README of the server has every setting of an application', () => {
    const written = documented('## Applications', read('packages/server/README.md'));
    expect([...written].sort()).toEqual(
      membersOf('ApplicationSettings')
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('the configuration guide has every exit code', () => {
    const codes = documented('### Its end').map(Number);
    expect(codes).toEqual([0, ...Object.values(exitCodes)]);
  });

  it('the configuration guide shows a file that the server takes, in which what is a default is the default', () => {
    const [file] = codeBlocks(guide).filter(({ language }) => language === 'json');
    const folder = mkdtempSync(join(tmpdir(), 'calends-docs-'));
    try {
      const path = join(folder, 'calends.json');
      writeFileSync(path, file?.code ?? '');
      const { applications } = readEnvironment({ CALENDS_CONFIG: path });
      expect({ ...defaultApplicationSettings, ...applications['app-1'] }).toEqual({
        ...defaultApplicationSettings,
        organizationId: 'org-1',
        agents: ['agent-1', 'agent-2'],
        defaultAgent: 'agent-1',
        routing: { type: 'PROVIDERA_CLOUD_FLOW', deploymentId: 'd-1' },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the configuration guide and the READMEs show no file that the server would refuse', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calends-docs-'));
    const files = [guide, read('README.md'), read('packages/server/README.md')].flatMap((document) =>
      codeBlocks(document).filter(({ language }) => language === 'json'),
    );
    expect(files).toHaveLength(5);
    try {
      for (const [index, { code }] of files.entries()) {
        const path = join(folder, `${String(index)}.json`);
        writeFileSync(path, code);
        expect(Object.keys(readEnvironment({ CALENDS_CONFIG: path }).applications)).toEqual(['app-1']);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('the configuration guide is the only place with variables besides those of the tests, and they exist', () => {
    const known = new Set(Object.keys(environmentSchema.shape));
    for (const path of filesLike(/^(README|ARCHITECTURE)\.md$|^docs\/.*\.md$|^packages\/[^/]+\/README\.md$/)) {
      const named = Array.from(read(path).matchAll(/\bCALENDS_(?!TEST_|REQUIRE_|SKIP_)[A-Z_]+\b/g), ([name]) => name);
      expect(
        named.filter((name) => !known.has(name)),
        path,
      ).toEqual([]);
    }
  });
});
