import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesLike, read, root } from './documents.js';

const page = read('ARCHITECTURE.md');

/** The text below a heading, up to the next of its kind. */
function section(heading: string): string {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

/** Cells of the rows of the first table of a section. */
function rows(heading: string): readonly (readonly string[])[] {
  const lines = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (text = ''): readonly string[] => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly calends?: { readonly bundled?: readonly string[] };
}

describe('ARCHITECTURE.md', () => {
  const manifests = filesLike(/^packages\/[^/]+\/package\.json$/).map((path) => JSON.parse(read(path)) as Manifest);

  it('ARCHITECTURE.md names the packages of ours that each package depends on', () => {
    const ours = (manifest: Manifest): readonly string[] =>
      Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
        .filter((name) => name.startsWith('@calends/'))
        .map((name) => name.replace('@calends/', ''));
    const written = rows('Packages').map(([name, , needs]) => ({
      name: namesIn(name)[0],
      needs: [...namesIn(needs)].sort(),
    }));
    const declared = new Map(
      manifests.map((manifest) => [manifest.name.replace('@calends/', ''), [...ours(manifest)].sort()]),
    );
    expect(written.length).toBeGreaterThanOrEqual(11);
    expect(written).toEqual(written.map(({ name = '' }) => ({ name, needs: declared.get(name) })));
  });

  it('ARCHITECTURE.md names whatever else each package needs, what of it is bundled, and what the host brings', () => {
    const theirs = (versions: Readonly<Record<string, string>> = {}): string =>
      Object.keys(versions)
        .filter((name) => !name.startsWith('@calends/'))
        .sort()
        .join(', ');
    const written = rows('Packages').map(([name = '', , needs = '']) => [
      namesIn(name)[0],
      needs.split('; ').filter((part) => !part.startsWith('`')),
    ]);
    const declared = new Map(
      manifests.map(({ name, dependencies, peerDependencies, calends: { bundled = [] } = {} }) => {
        const [needed, brought] = [theirs(dependencies), theirs(peerDependencies)];
        const inside = bundled.join(', ');
        return [
          name.replace('@calends/', ''),
          [
            ...(needed === '' ? [] : [needed]),
            ...(inside === '' ? [] : [`bundled: ${inside}`]),
            ...(brought === '' ? [] : [`peers: ${brought}`]),
          ],
        ];
      }),
    );
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(declared));
  });

  it.each([
    ['core', 'Where things are in the core'],
    ['store-knex', 'Where things are in the SQL store'],
  ])('ARCHITECTURE.md has the floors of %s, from the top: every folder, and what holds them', (name, title) => {
    const floors = JSON.parse(read('scripts/floors.json')) as Readonly<Record<string, readonly (readonly string[])[]>>;
    const written = rows(title).flatMap(([names]) => namesIn(names).map((folder) => folder.replace('/', '')));
    const folders = filesLike(new RegExp(`^packages/${name}/src/[^/]+/.*\\.ts$`)).map(
      (path) => path.split('/')[3] ?? '',
    );
    expect(written).toEqual(floors[name]?.flat());
    expect([...written].sort()).toEqual([...new Set(folders)].sort());
  });

  it('ARCHITECTURE.md tells of all that runs in the background', () => {
    const files = filesLike(/^packages\/core\/src\/background\/.*(?<!\.test)\.ts$/).map((path) =>
      path.replace('packages/', ''),
    );
    const told = namesIn(section('What runs in the background'));
    expect(files.filter((path) => !told.includes(path))).toEqual([]);
  });

  it('ARCHITECTURE.md names files and folders that exist', () => {
    const named = Array.from(
      page.matchAll(/(?<![\w/.-])(?:packages\/)?([a-z-]+\/src\/[\w./-]*\w)/g),
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !existsSync(join(root, 'packages', path)))).toEqual([]);
  });

  it('ARCHITECTURE.md names, after a path, neighbours of its file', () => {
    const cells = rows('Where to find what').map(([, where]) => namesIn(where));
    const missing = cells.flatMap(([first = '', ...others]) => {
      const folder = first.slice(0, first.lastIndexOf('/'));
      return others.filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, folder, name)));
    });
    expect(missing).toEqual([]);
  });
});
