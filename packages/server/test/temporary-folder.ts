import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { endAll } from './server-process.js';

/** A folder for the tests of one file; their processes end after each test, the folder goes after the last one. */
export function temporaryFolder(): () => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'calends-server-'));
  });
  afterEach(endAll);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}
