import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { databaseServers, withDatabase } from './database-servers.js';
import { hasMark } from './examples.js';
import { runExample } from './run-example.js';
import { writeExamples } from './written-examples.js';

const home = process.cwd();
const { folder, shown } = writeExamples();
afterAll(() => {
  process.chdir(home);
});

/** What an example says that it prints: `console.log(…); // this`, or `// prints this`. */
function announced(code: string): readonly string[] {
  const comments = code.matchAll(/^ *(?:console\.log\(.*\); \/\/|\/\/ prints) (?<text>.*)$/gm);
  return Array.from(comments, ({ groups }) => groups?.['text'] ?? '');
}

/** `…` stands for any text. */
function isLike(printed: string, said: string | undefined): boolean {
  const parts = said?.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')) ?? [];
  return said !== undefined && new RegExp(`^${parts.join('.*')}$`).test(printed);
}

/** Runs it in a folder of its own, which goes away with all that it has made there. */
async function runsAsItSays({ path, code }: { readonly path: string; readonly code: string }): Promise<void> {
  process.chdir(mkdtempSync(join(folder, 'files-')));
  const printed = await runExample(path);
  const said = announced(code);
  if (said.length === 0) return;
  expect(printed.map((line, index) => (isLike(line, said[index]) ? said[index] : line))).toEqual(said);
}

describe('every example runs and prints what it says', () => {
  // Those that hold tests are run by examples-of-tests.test.ts.
  const elsewhere = ['no-run', 'test', ...databaseServers.map(({ mark }) => mark)] as const;
  const plain = shown.filter((example) => !elsewhere.some((mark) => hasMark(example, mark)));
  it.each(plain)('$place runs and prints what it says', runsAsItSays);

  for (const server of databaseServers) {
    const its = shown.filter((example) => hasMark(example, server.mark));
    // Named in the report where the server is missing.
    describe.skipIf(server.missing !== undefined)(`on ${server.name}${server.missing ?? ''}`, () => {
      it.each(its)('$place runs and prints what it says', async (example) => {
        await withDatabase(server, async (url) => {
          writeFileSync(example.path, example.code.replaceAll(server.shown, url));
          await runsAsItSays(example);
        });
      });
    });
  }
});
