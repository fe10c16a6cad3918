// Every package is documented from the same sources (tsconfig.docs.json). TypeDoc makes a program for each, which would parse and bind all of them
// again; here each has a program of its own still, so that no package changes how the types of another are written, but files are read once.
import { dirname, relative } from 'node:path';
import { TypeScript as ts } from 'typedoc';

export function load(app) {
  const sourceFiles = new Map();
  let program;
  app.getEntryPoints = () => {
    const { options } = app;
    const compilerOptions = options.getCompilerOptions(app.logger);
    const host = hostWith(sourceFiles, compilerOptions);
    program = ts.createProgram({
      rootNames: options.getFileNames(),
      options: compilerOptions,
      host,
      oldProgram: program,
    });
    return entryPointsOf(program, options.getValue('entryPoints'));
  };
}

function hostWith(sourceFiles, compilerOptions) {
  const host = ts.createCompilerHost(compilerOptions);
  const getSourceFile = (name, ...more) => {
    if (!sourceFiles.has(name)) sourceFiles.set(name, host.getSourceFile(name, ...more));
    return sourceFiles.get(name);
  };
  return { ...host, getSourceFile };
}

/** As TypeDoc calls them: by their path below that of the first, `src/index.ts`. */
function entryPointsOf(program, paths) {
  const [first = ''] = paths;
  return paths.map((path) => {
    const sourceFile = program.getSourceFile(path);
    if (sourceFile === undefined) throw new Error(`tsconfig.docs.json does not lead to ${path}.`);
    const displayName = relative(dirname(first), path).replace(/(\/index)?\.ts$/, '');
    return { displayName, sourceFile, program };
  });
}
