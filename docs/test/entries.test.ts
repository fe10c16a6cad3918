import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { read, root } from './documents.js';

const { exports } = JSON.parse(read('packages/core/package.json')) as {
  readonly exports: Readonly<Record<string, string | { readonly '@calends/source': string }>>;
};
const entries = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === 'string'
    ? []
    : [{ subpath, names: namesOf(`packages/core/${target['@calends/source'].slice(2)}`) }],
);

/** The names that an entry exports; one that exported everything of a file would hide them. */
function namesOf(path: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  return statements.filter(ts.isExportDeclaration).flatMap(({ exportClause }) => {
    if (exportClause === undefined || !ts.isNamedExports(exportClause))
      throw new Error(`${path} hides what it exports.`);
    return exportClause.elements.map(({ name }) => name.text);
  });
}

/** The options of `createScheduling` without a description, as an editor and the reference find them: by the type, through whatever it is made of. */
function undescribedOptions(): readonly string[] {
  const files = ['wiring/options.ts', 'ports/ports.ts'].map((path) => join(root, 'packages/core/src', path));
  // Nothing but these two is read: what an option is made of does not matter here.
  const { NodeNext } = ts.ModuleKind;
  const program = ts.createProgram(files, {
    strict: true,
    noResolve: true,
    module: NodeNext,
    types: [],
    lib: ['lib.es5.d.ts'],
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(files[0] ?? '');
  const found = file?.statements.find(
    (each): each is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(each) && each.name.text === 'SchedulingOptions',
  );
  if (found === undefined) throw new Error('There are no SchedulingOptions.');
  const options = checker.getTypeAtLocation(found).getProperties();
  expect(options.map(({ name }) => name)).toContain('clock');
  return options.filter((option) => option.getDocumentationComment(checker).length === 0).map(({ name }) => name);
}

describe('the options of createScheduling', () => {
  it('the options of createScheduling have a description each, where an editor shows it', () => {
    expect(undescribedOptions()).toEqual([]);
  });
});

describe('the entries of @calends/core', () => {
  it('the entries of @calends/core are one for each audience', () => {
    expect(entries.map(({ subpath }) => subpath)).toEqual([
      '.',
      './store',
      './notifier',
      './publisher',
      './operations',
      './inversify',
    ]);
  });

  it('the entries of @calends/core give a host no more than a hundred names', () => {
    expect(entries[0]?.names.length).toBeLessThanOrEqual(100);
  });

  it('the entries of @calends/core have no name in common', () => {
    const names = entries.flatMap((entry) => entry.names);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
