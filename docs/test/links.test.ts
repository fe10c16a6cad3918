import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, filesLike, links, markdownFiles, read, root } from './documents.js';

const files = markdownFiles();

/** What is wrong with a link of a document, or nothing. */
function faultOf(from: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? join(root, from) : join(root, dirname(from), file);
  if (!existsSync(path)) return `${target}: there is no such file`;
  if (anchor === undefined || !path.endsWith('.md')) return undefined;
  return anchors(readFileSync(path, 'utf8')).has(anchor) ? undefined : `${target}: there is no such heading`;
}

describe('links between documents lead somewhere', () => {
  it.each(files)('the links of $path lead somewhere', ({ path, text }) => {
    const faults = links(text).map(({ target, line }) => ({ line, fault: faultOf(path, target) }));
    expect(faults.filter(({ fault }) => fault !== undefined)).toEqual([]);
  });
});

describe('a README leads nowhere out of its package, in which it is published', () => {
  it.each(files.filter(({ path }) => /^packages\/[^/]+\/README\.md$/.test(path)))(
    '$path leads nowhere out of its package, in which it is published',
    ({ text }) => {
      expect(links(text).filter(({ target }) => target.startsWith('..'))).toEqual([]);
    },
  );
});

describe('names in the text exist', () => {
  const manifests = filesLike(/^packages\/[^/]+\/package\.json$/).map((path) => JSON.parse(read(path)) as Manifest);
  const entries = new Set(
    manifests.flatMap(({ name, exports }) => Object.keys(exports ?? {}).map((subpath) => name + subpath.slice(1))),
  );
  const scripts = new Set(Object.keys((JSON.parse(read('package.json')) as Manifest).scripts ?? {}));

  it.each(files)('packages and their entries that $path names exist', ({ text }) => {
    const named = Array.from(text.matchAll(/@calends\/[a-z][\w./-]*[\w-]/g), ([name]) => name);
    expect(named.filter((name) => !entries.has(name) && name !== '@calends/source')).toEqual([]);
  });

  it.each(files)('npm scripts that $path names exist', ({ text }) => {
    const named = Array.from(text.matchAll(/\bnpm run ([a-z][\w:-]*)/g), ([, name = '']) => name);
    expect(named.filter((name) => !scripts.has(name))).toEqual([]);
  });
});

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
}
