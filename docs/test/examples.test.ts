import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from './documents.js';
import { examplesIn, hasMark, marks } from './examples.js';
import { writeExamples } from './written-examples.js';

const { shown } = writeExamples();

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

let program: ts.Program;

beforeAll(() => {
  program = compile();
});

describe('every example compiles against the sources', () => {
  it.each(shown)('$place', ({ path }) => {
    const source = program.getSourceFile(path);
    const faults = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
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
