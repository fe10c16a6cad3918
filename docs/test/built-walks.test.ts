import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { environment } from '../../scripts/quick.mjs';
import { filesLike, read, root } from './documents.js';

const walks = filesLike(/^docs\/walks\/.*\.patch$/).map((path) => ({ path, name: basename(path, '.patch') }));
const storeTests = ['packages/store-memory/test/conformance.test.ts', 'packages/store-knex/test/conformance.test.ts'];
/** The statements on a file are those in memory, and PGlite takes longer than the others together: the suite itself runs on each. */
const embedded = '^(?!.*(PostgreSQL|SQLite file))';
const workspaces = (JSON.parse(read('package.json')) as { readonly workspaces: readonly string[] }).workspaces;

/** What was installed, by links: only the packages of the project are those of the copy. */
function linkModules(copy: string, folder: string): void {
  const source = join(root, folder, 'node_modules');
  const names = lstatSync(source, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(source);
  mkdirSync(join(copy, folder, 'node_modules'), { recursive: true });
  for (const name of names.filter((each) => each !== '@calends' && !each.startsWith('.'))) {
    symlinkSync(join(source, name), join(copy, folder, 'node_modules', name));
  }
}

function makeCopy(copy: string): void {
  for (const path of filesLike(/^(packages|docs|scripts)\/|^(package|tsconfig|vitest|tsup)[\w.-]*$/)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  for (const folder of ['', ...workspaces]) linkModules(copy, folder);
  mkdirSync(join(copy, 'node_modules', '@calends'));
  for (const folder of workspaces) {
    const { name } = JSON.parse(read(`${folder}/package.json`)) as { readonly name: string };
    symlinkSync(join(copy, folder), join(copy, 'node_modules', name));
  }
}

/** Embedded databases only, also where all are required. */
const env = {
  ...process.env,
  ...environment,
  CALENDS_REQUIRE_DATABASES: undefined,
  FORCE_COLOR: undefined,
  NO_COLOR: '1',
};

describe('a copy of the project', () => {
  let copy: string;
  const inCopy = (command: string, ...args: readonly string[]) =>
    spawnSync(command, args, { cwd: copy, encoding: 'utf8', timeout: 240_000, env });
  const tool = (name: string, path: string, ...args: readonly string[]) =>
    inCopy(process.execPath, join(root, 'node_modules', name, path), ...args);

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'calends-walks-'));
    makeCopy(copy);
    const settings = {
      extends: './tsconfig.json',
      compilerOptions: { incremental: true, tsBuildInfoFile: 'walks.tsbuildinfo' },
      include: ['packages/*/src', 'packages/*/*.d.ts'],
      exclude: ['**/*.test.ts', '**/dist', '**/node_modules'],
    };
    writeFileSync(join(copy, 'tsconfig.walks.json'), JSON.stringify(settings));
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it.each(walks)(
    'a copy of the project compiles with the example of $name, and passes its test and those of stores',
    ({ path }) => {
      expect(inCopy('git', 'apply', join(root, path)).stderr).toBe('');
      onTestFinished(() => void inCopy('git', 'apply', '-R', join(root, path)));
      expect(tool('typescript-native', 'bin/tsc', '--singleThreaded', '-p', 'tsconfig.walks.json').stdout).toBe('');
      const change = read(path);
      const own = Array.from(change.matchAll(/^\+\+\+ b\/(\S+\.test\.ts)$/gm), ([, file = '']) => file);
      expect(own).toHaveLength(1);
      const stores = change.includes('packages/store-knex/') ? storeTests : [];
      const { stdout, stderr } = tool('vitest', 'vitest.mjs', 'run', '-t', embedded, ...own, ...stores);
      expect(`${stdout}${stderr}`).toContain(`${own.length + stores.length} passed (${own.length + stores.length})`);
    },
    300_000,
  );
});
