import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './documents.js';
import { examples, examplesIn, hasMark, marks } from './examples.js';
import { runExample } from './run-example.js';
import { databaseServers, withDatabase } from './database-servers.js';

// Below the root, so that `@calends/*` and the packages that a host brings are found; ignored by git.
mkdirSync(join(root, 'reports'), { recursive: true });
const folder = mkdtempSync(join(root, 'reports', 'examples-'));
const home = process.cwd();

const shown = examples().map((example, index) => {
  const path = join(folder, `example-${String(index)}.ts`);
  writeFileSync(path, `${example.code}\nexport {};\n`);
  return { ...example, path };
});

/** One program for all of them: most of its time goes into the sources that they share. */
function compile(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (fault) => {
        throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
      },
    },
  );
  return ts.createProgram({ rootNames: shown.map(({ path }) => path), options: config?.options ?? {} });
}

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

let program: ts.Program;

beforeAll(() => {
  program = compile();
});

afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

describe('every example compiles against the sources', () => {
  it.each(shown)('$place', ({ path }) => {
    const source = program.getSourceFile(path);
    const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  });
});

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
  it.each(plain)('$place', runsAsItSays);

  for (const server of databaseServers) {
    const its = shown.filter((example) => hasMark(example, server.mark));
    // Named in the report where the server is missing.
    describe.skipIf(server.missing !== undefined)(`on ${server.name}${server.missing ?? ''}`, () => {
      it.each(its)('$place', async (example) => {
        await withDatabase(server, async (url) => {
          writeFileSync(example.path, example.code.replaceAll(server.shown, url));
          await runsAsItSays(example);
        });
      });
    });
  }
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
