import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { markEsmOnlyTypes } from './esm-only-types.mjs';

it('CommonJS declarations with types of inversify compile for CommonJS under node16, and only when they are marked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'calends-types-'));
  const write = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const faults = (file: string): readonly number[] => {
    const options = { module: ts.ModuleKind.Node16, noEmit: true, types: [], lib: ['lib.es2015.d.ts'] };
    const program = ts.createProgram([file], { ...options, strict: true, skipLibCheck: false });
    return program.getSemanticDiagnostics().map(({ code }) => code);
  };
  try {
    // As inversify 8 is.
    const manifest = { name: 'inversify', version: '8.0.0', type: 'module', exports: './index.js' };
    write('node_modules/inversify/package.json', JSON.stringify(manifest));
    write(
      'node_modules/inversify/index.d.ts',
      'export declare class ContainerModule { readonly id: number }\nexport type ServiceIdentifier = symbol;\n',
    );
    const declarations = [
      "import { ContainerModule, type ServiceIdentifier } from 'inversify';",
      'declare function module_(token: ServiceIdentifier): ContainerModule;',
      'export { module_ };',
    ].join('\n');
    const file = write('dist/inversify/index.d.cts', declarations);
    expect(faults(file)).toContain(1479);
    markEsmOnlyTypes(join(folder, 'dist'));
    expect(faults(file)).toEqual([]);
    const marked = readFileSync(file, 'utf8');
    markEsmOnlyTypes(join(folder, 'dist'));
    expect(readFileSync(file, 'utf8')).toBe(marked);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
