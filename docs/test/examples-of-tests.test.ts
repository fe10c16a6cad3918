import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from './documents.js';
import { examples, hasMark } from './examples.js';

// Below the root, so that `@calends/*` is found; ignored by git. What they hold joins the tests of this file.
mkdirSync(join(root, 'reports'), { recursive: true });
const folder = mkdtempSync(join(root, 'reports', 'examples-of-tests-'));
const shown = examples().filter((example) => hasMark(example, 'test'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

it('an example that holds tests is among those of stores', () => {
  expect(shown.map(({ place }) => place.replace(/:\d+$/, '')).sort()).toEqual([
    'docs/guides/write-a-store.md',
    'docs/guides/write-a-store.md',
    'packages/store-conformance/README.md',
  ]);
});

for (const [index, { place, code }] of shown.entries()) {
  describe(place, async () => {
    const path = join(folder, `example-${String(index)}.ts`);
    writeFileSync(path, `${code}\nexport {};\n`);
    await import(path);
  });
}
