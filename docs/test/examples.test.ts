import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './documents.js';
import { examplesIn, hasMark, marks } from './examples.js';
import { writeExamples } from './written-examples.js';

const { folder, shown } = writeExamples();

/** What the compiler says of each file; one run for all of them, since most of its time goes into the sources that they share. */
function compile(): ReadonlyMap<string, readonly string[]> {
  const project = join(folder, 'tsconfig.json');
  const files = shown.map(({ path }) => path);
  writeFileSync(project, JSON.stringify({ extends: join(root, 'tsconfig.json'), include: [], files }));
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const words = [compiler, '--singleThreaded', '--pretty', 'false', '-p', project];
  const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  expect(stderr).toBe('');
  const faults = new Map(files.map((path): [string, string[]] => [path, []]));
  let told: string[] | undefined;
  for (const line of stdout.split('\n').filter((each) => each !== '')) {
    const [, path, text] = /^(\S.*)\(\d+,\d+\): (.*)$/.exec(line) ?? [undefined, undefined, line];
    // Further lines of a fault are indented.
    if (path !== undefined) told = faults.get(resolve(root, path));
    if (told === undefined) throw new Error(line);
    told.push(text);
  }
  return faults;
}

let faults: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  faults = compile();
});

describe('every example compiles against the sources', () => {
  it.each(shown)('$place compiles against the sources', ({ path }) => {
    expect(faults.get(path)).toEqual([]);
  });
});

describe('an example that does not run', () => {
  const compiled = shown.filter((example) => hasMark(example, 'no-run'));
  it.each([
    ['<!-- no-run: no test has a satellite -->\n\n', 'no test has a satellite'],
    ['<!-- no-run: -->\n', undefined],
    ['no-run: as prose\n', undefined],
    ['', undefined],
  ])('an example that does not run has as its reason what stands in %j', (above, reason) => {
    expect(examplesIn('a.md', `${above}\`\`\`ts no-run\nlaunch();\n\`\`\`\n`, 0)).toMatchObject([{ reason }]);
  });

  it('an example that does not run says why, in a comment above it', () => {
    expect(compiled.filter(({ reason }) => reason === undefined).map(({ place }) => place)).toEqual([]);
  });

  it('an example that does not run has no mark that means nothing', () => {
    const known: readonly string[] = marks;
    const unknown = shown.filter((example) => example.marks.some((mark) => !known.includes(mark)));
    expect(unknown.map(({ place }) => place)).toEqual([]);
  });
});
