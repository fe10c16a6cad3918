import { defineConfig } from 'tsup';

/** The one way in which every package is built: ESM and CommonJS beside each other, each with its declarations. */
export function packageBuild(entry: Record<string, string>, onSuccess?: () => Promise<void>) {
  return defineConfig({
    entry,
    format: ['esm', 'cjs'],
    target: 'node20',
    platform: 'node',
    // tsup 8 sets `baseUrl` for its declaration step, which TypeScript 6 refuses unless told otherwise (TS5101).
    dts: { compilerOptions: { ignoreDeprecations: '6.0', noEmit: false } },
    sourcemap: true,
    splitting: true,
    // The CommonJS build has no `import.meta.url` of its own.
    shims: true,
    clean: true,
    outDir: 'dist',
    ...(onSuccess === undefined ? {} : { onSuccess }),
  });
}
