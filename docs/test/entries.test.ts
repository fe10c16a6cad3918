import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { read } from './documents.js';

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
