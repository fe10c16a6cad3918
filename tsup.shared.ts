import { defineConfig } from 'tsup';

/** What a package wants beyond its entries. */
interface More {
  /** Libraries whose code goes into the package (`calends.bundled` of its manifest). */
  readonly bundled?: string[];
  readonly onSuccess?: () => Promise<void>;
}

/** The one way in which every package is built: ESM and CommonJS beside each other. Declarations come from one run for all (`scripts/declarations.mjs`). */
export function packageBuild(entry: Record<string, string>, { bundled = [], ...more }: More = {}) {
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
    noExternal: bundled.map((name) => new RegExp(`^${name}(/|$)`)),
    ...more,
  });
}
