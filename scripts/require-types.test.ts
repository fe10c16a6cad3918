import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const manifests = readdirSync(join(root, 'packages')).map(
  (folder) => JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as Manifest,
);

describe('`npm pack`', () => {
  let folder = '';
  let core = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'calends-pack-'));
    core = join(folder, 'packages', 'core');
    mkdirSync(core, { recursive: true });
    symlinkSync(join(root, 'scripts'), join(folder, 'scripts'));
    for (const file of ['.npmrc', 'package.json', join('packages', 'core', 'package.json')]) {
      cpSync(join(root, file), join(folder, file));
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const entries = ['index', 'store', 'notifier', 'publisher', 'operations', 'inversify/index'];
  const built = entries.flatMap((entry) => [`${entry}.js`, `${entry}.cjs`]);
  const types = entries.flatMap((entry) => [`${entry}.d.ts`, `${entry}.d.cts`]);

  function pack(files: readonly string[]) {
    for (const file of files.map((name) => join(core, 'dist', name))) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
    }
    return spawnSync('npm', ['pack', '--offline'], { cwd: core, encoding: 'utf8' });
  }

  it('`npm pack` refuses a package that was built without its types, and names them', () => {
    const { status, stderr } = pack(built);
    expect(status).not.toBe(0);
    expect(stderr).toContain('@calends/core has no ./dist/index.d.cts, ./dist/index.d.ts, ./dist/store.d.ts');
    expect(readdirSync(core).filter((name) => name.endsWith('.tgz'))).toEqual([]);
  });

  it('`npm pack` packs a package that has its types', () => {
    expect(pack([...built, ...types])).toMatchObject({ status: 0 });
    expect(readdirSync(core)).toContainEqual(expect.stringMatching(/^calends-core-.*\.tgz$/));
  });

  it.each(manifests)('`npm pack` looks for types in $name, and so does `npm publish`', ({ scripts }) => {
    expect(scripts['prepack']).toBe('node ../../scripts/require-types.mjs');
  });
});
