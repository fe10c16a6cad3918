import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'tsup';

/** A script and all that it imports in one file. */
export interface OneFile {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Drivers that knex names, and those that are compiled: they are asked for only where one of their databases is opened. */
const leftOutside = /^(better-sqlite3|libsql|mariadb|mysql|oracledb|pg-native|pg-query-stream|sqlite3|tedious)(\/|$)/;

/** Below the folder where what is left outside is installed. */
const caches = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'calends');

/**
 * Writes a script of the tests with the built packages as one file: a process that is killed all the time has to begin
 * quickly, or the machine reads modules instead of delivering.
 */
export async function oneFile(script: string): Promise<OneFile> {
  await mkdir(caches, { recursive: true });
  const folder = await mkdtemp(join(caches, 'one-file-'));
  await build({
    config: false,
    silent: true,
    entry: [script],
    format: 'esm',
    outExtension: () => ({ js: '.mjs' }),
    platform: 'node',
    target: 'node20',
    outDir: folder,
    minify: true,
    splitting: false,
    noExternal: [new RegExp(`^(?!${leftOutside.source.slice(1)})`)],
    external: [leftOutside],
    // Packages in CommonJS ask for modules of Node by `require`.
    banner: {
      js: "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);",
    },
  });
  return {
    path: join(folder, basename(script)),
    remove: () => rm(folder, { recursive: true }),
  };
}
