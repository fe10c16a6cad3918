import { defineConfig } from 'tsup';

/** The one way in which every package is built: ESM and CommonJS beside each other. Declarations come from one run for all (`scripts/declarations.mjs`). */
export function packageBuild(entry: Record<string, string>, onSuccess?: () => Promise<void>) {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    target: 'node20',
    platform: 'node',
    sourcemap: true,
    splitting: true,
    // The CommonJS build has no `import.meta.url` of its own.
    shims: true,
    clean: true,
    outDir: 'dist',
    ...(onSuccess === undefined ? {} : { onSuccess }),
  });
}
