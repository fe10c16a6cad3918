import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './documents.js';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly calends?: { readonly bundled?: readonly string[] };
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly resolved?: string }>>;
}

interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly { readonly 'bom-ref': string }[];
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

const lock = read('package-lock.json') as Lock;
const manifests = readdirSync(join(root, 'packages')).map(
  (folder) => read(`packages/${folder}/package.json`) as Manifest,
);
const version = String.raw`\d+\.\d+\.\d+`;

function broken(versions: Versions = {}, rule: (name: string) => RegExp): readonly string[] {
  return Object.entries(versions)
    .filter(([name, range]) => !rule(name).test(range))
    .map(([name, range]) => `${name} ${range}`);
}

describe('Dependencies', () => {
  it.each(manifests)(
    'Dependencies of $name at run time are ranges, and our own packages one version',
    ({ dependencies }) => {
      const rule = (name: string) => new RegExp(name.startsWith('@calends/') ? `^${version}$` : `^\\^${version}$`);
      expect(broken(dependencies, rule)).toEqual([]);
    },
  );

  it.each([read('package.json') as Manifest, ...manifests])(
    'Dependencies of $name for development are exact',
    ({ devDependencies }) => {
      expect(broken(devDependencies, () => new RegExp(`^(npm:[a-z]+@)?${version}$`))).toEqual([]);
    },
  );

  it('Dependencies on pg begin at the version that is tested as the oldest', () => {
    const { peerDependencies, devDependencies } = read('packages/store-knex/package.json') as Manifest;
    expect(devDependencies?.['pg-oldest']).toBe(`npm:pg@${peerDependencies?.['pg']?.slice(1)}`);
  });

  it('Dependencies are exact in the lock, which names no registry', () => {
    const entries = Object.entries(lock.packages);
    const isElsewhere = (resolved: string | undefined) => resolved?.includes('://') === true;
    expect(entries.filter(([path, { version: exact }]) => path !== '' && exact === undefined && !isLink(path))).toEqual(
      [],
    );
    expect(entries.filter(([, { resolved }]) => isElsewhere(resolved))).toEqual([]);
  });
});

/** Where a package of our own is found in `node_modules`. */
function isLink(path: string): boolean {
  return path.startsWith('node_modules/@calends/');
}

describe('`npm run sbom`', () => {
  it('`npm run sbom` writes every package that is needed at run time or bundled, and nothing else for development', () => {
    const folder = mkdtempSync(join(tmpdir(), 'calends-sbom-'));
    try {
      const path = join(folder, 'sbom.json');
      const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/sbom.mjs'), path]);
      expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: '' });
      const { bomFormat, components } = JSON.parse(readFileSync(path, 'utf8')) as Sbom;
      expect(bomFormat).toBe('CycloneDX');
      const listed = new Set(components.map((component) => component['bom-ref']));
      const needed = manifests
        .flatMap(({ dependencies = {}, calends: { bundled = [] } = {} }) => [...Object.keys(dependencies), ...bundled])
        .map(exactly);
      expect(needed.filter((name) => !listed.has(name))).toEqual([]);
      expect(['vitest', 'typescript', 'oxfmt'].map(exactly).filter((name) => listed.has(name))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
    // npm reads the whole tree of packages, which takes a busy machine long.
  }, 60_000);
});

/** As the lock has it. */
function exactly(name: string): string {
  const entry =
    lock.packages[isLink(`node_modules/${name}`) ? name.replace('@calends', 'packages') : `node_modules/${name}`];
  return `${name}@${entry?.version}`;
}
