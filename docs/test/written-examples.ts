import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { root } from './documents.js';
import { type Example, examples } from './examples.js';

/** Every example as a module, in a folder that goes away after the tests of the file. */
export function writeExamples(): { readonly folder: string; readonly shown: readonly (Example & { path: string })[] } {
  // Below the root, so that `@calends/*` and the packages that a host brings are found; ignored by git.
  mkdirSync(join(root, 'reports'), { recursive: true });
  const folder = mkdtempSync(join(root, 'reports', 'examples-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const shown = examples().map((example, index) => {
    const path = join(folder, `example-${String(index)}.ts`);
    writeFileSync(path, `${example.code}\nexport {};\n`);
    return { ...example, path };
  });
  return { folder, shown };
}
