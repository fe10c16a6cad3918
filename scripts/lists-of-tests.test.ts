import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { asPattern } from './globs.mjs';

const listed = (name: string) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')) as string[];

const root = fileURLToPath(new URL('..', import.meta.url));
const files = ['packages', 'docs', 'scripts', 'lab'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules/'))
    .map((path) => `${folder}/${path}`),
);

it.each(['waiting-first', 'longest-first', 'zoned', 'only-with-all', 'own-process'])(
  'every line of the list %s leads to tests, and stands once',
  (name) => {
    const globs = listed(name);
    expect(globs.filter((glob) => !files.some((path) => asPattern(glob).test(path)))).toEqual([]);
    expect(new Set(globs).size).toBe(globs.length);
  },
);

it('every file that sets timers of the process by hand, or counts what the process has open, has a process of its own', () => {
  // In two parts, or this file would be one of them.
  const [timers, open] = ['vi.' + 'useFakeTimers(', 'process.' + 'getActiveResourcesInfo('];
  const alone = files.filter((path) => {
    const source = readFileSync(`${root}${path}`, 'utf8');
    return source.includes(timers) || source.includes(open);
  });
  expect(listed('own-process')).toEqual(alone.toSorted());
});
