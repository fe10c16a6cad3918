import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { filesLike, read, root } from './documents.js';

const walks = filesLike(/^docs\/walks\/.*\.patch$/).map((path) => ({
  path,
  name: path.slice('docs/walks/'.length, -'.patch'.length),
}));

/** Files that the list of a walk names in CONTRIBUTING.md, in its order. */
function listed(name: string): readonly string[] {
  const [, section = ''] = read('CONTRIBUTING.md').split(new RegExp(`\\n### Add an? ${name}\\n`));
  const [list = ''] = section.split('\n#');
  return Array.from(list.matchAll(/^\d+\. .*$(?:\n {3}.*$)*/gm), ([item]) =>
    Array.from(item.matchAll(/`([\w-]+\/src\/[\w./-]+\.ts)`/g), ([, path = '']) => `packages/${path}`),
  ).flat();
}

describe('a walk through the code', () => {
  it('a walk through the code is there', () => {
    expect(walks.map(({ name }) => name)).toEqual(expect.arrayContaining(['channel', 'field', 'operation']));
  });

  it.each(walks)('$name: its example change applies to the tree', ({ path }) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', path], { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it.each(walks)('$name: CONTRIBUTING.md names the files that its example changes', ({ path, name }) => {
    const changed = Array.from(read(path).matchAll(/^diff --git a\/(\S+) /gm), ([, file = '']) => file);
    const sources = changed.filter((file) => !file.endsWith('.test.ts'));
    expect([...listed(name)].sort()).toEqual([...sources].sort());
  });
});
