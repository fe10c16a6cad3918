import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './documents.js';
import { examples } from './examples.js';
import { runExample } from './run-example.js';

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

describe('every example runs and prints what it says', () => {
  it.each(shown.filter(({ compileOnly }) => !compileOnly))('$place', async ({ path, code }) => {
    // Files that an example makes are its own, and go away with the folder.
    process.chdir(mkdtempSync(join(folder, 'files-')));
    const printed = await runExample(path);
    const said = announced(code);
    if (said.length === 0) return;
    expect(printed.map((line, index) => (isLike(line, said[index]) ? said[index] : line))).toEqual(said);
  });
});
