// The declarations of every package, from one program over their sources: `npm run build` starts this beside the bundles, and lays
// what it writes into each `dist`. Argument: the folder to write to, in it a folder for each package.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { packages, root } from './prepare.mjs';

/** The sources of what a package exports: the first condition of each of its `exports`. */
function entriesOf({ folder, manifest }) {
  const sources = Object.values(manifest.exports).map((target) => target['@calends/source']);
  return sources.filter((source) => source !== undefined).map((source) => join(folder, source));
}

/** What `import`, `export … from` and `import('…')` of a declaration name by a relative path, from the last to the first. */
function relativeImports(text) {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .reverse();
}

/** The same declaration for CommonJS: its neighbours end with `.cjs`. */
export function forCommonJs(text) {
  return relativeImports(text).reduce((before, { pos, fileName }) => {
    // `pos` is that of the quotation mark or of the name, as TypeScript has it.
    const start = before.indexOf(fileName, pos);
    return `${before.slice(0, start)}${fileName.replace(/\.js$/, '.cjs')}${before.slice(start + fileName.length)}`;
  }, text);
}

/** One program knows each type once; a program for each package would read core a dozen times. */
function emit(workspaces) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  // `npm run types` checks what stands inside of functions; here counts what is told of them.
  const emitting = { noEmit: false, noCheck: true, emitDeclarationOnly: true, rootDir: root, outDir: root };
  const program = ts.createProgram(workspaces.flatMap(entriesOf), { ...options, ...emitting });
  const written = new Map();
  const { diagnostics } = program.emit(undefined, (path, text) => written.set(resolve(path), text));
  const faults = [...program.getDeclarationDiagnostics(), ...diagnostics];
  if (faults.length > 0) {
    const names = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => root, getNewLine: () => '\n' };
    console.error(ts.formatDiagnosticsWithColorAndContext(faults, names));
    process.exit(1);
  }
  return written;
}

/** What the entries of a package lead to: inside it only, for other packages are named by their names. */
function reachable(entries, written) {
  const found = new Map();
  const waiting = entries.map((entry) => entry.replace(/\.ts$/, '.d.ts'));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const text = written.get(path);
    found.set(path, text);
    for (const { fileName } of relativeImports(text)) {
      waiting.push(join(dirname(path), fileName.replace(/\.js$/, '.d.ts')));
    }
  }
  return found;
}

function lay(target, workspaces) {
  rmSync(target, { recursive: true, force: true });
  const written = emit(workspaces);
  for (const workspace of workspaces) {
    const sources = join(workspace.folder, 'src');
    for (const [path, text] of reachable(entriesOf(workspace), written)) {
      const file = join(target, workspace.name.replace('@calends/', ''), path.slice(sources.length));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), forCommonJs(text));
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) lay(process.argv[2], packages());
