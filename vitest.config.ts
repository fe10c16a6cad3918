import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const listed = (name: string) =>
  JSON.parse(readFileSync(new URL(`scripts/${name}.json`, import.meta.url), 'utf8')) as string[];

// What stands on the one function that may ask for the zone of the process. scripts/zone-of-process.mjs fails every other file that does.
const zoned = listed('zoned');

// Sets the clock of the whole process, or counts what it has open: what an earlier file of that process left would run by that clock, and
// be counted as its own.
const ownProcess = listed('own-process');

const everywhere = [
  'packages/*/src/**/*.test.ts',
  'packages/*/test/**/*.test.ts',
  'docs/**/*.test.ts',
  'scripts/**/*.test.ts',
  'lab/**/*.test.ts',
];
const [shared, alone] = process.env['CALENDS_ONLY_ZONED'] === '1' ? [zoned, []] : [everywhere, ownProcess];
const isQuick = process.env['CALENDS_ONLY_QUICK'] === '1';
const leftOut = ['**/node_modules/**', '**/dist/**', ...(isQuick ? listed('only-with-all') : [])];

// Files that wait more than they calculate: in a run of everything they begin, while static checks have the processors. And those
// that take long, the longest first: without a record of earlier runs vitest begins with the largest files, and would end with one of a
// few lines that runs every suite on every database, while nothing is left for the other workers.
const [waiting, longest] = [listed('waiting-first'), listed('longest-first')];
const early = isQuick ? [...longest, ...waiting] : [...waiting, ...longest];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = early.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place === -1 ? early.length : place;
    };
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other));
  }
}

// Tests run the sources of every package: this condition is the first entry of each `exports`. Of the others no more than
// Node knows: what packages keep under `module` is for bundlers.
const sourceCondition = '@calends/source';

export default defineConfig({
  resolve: { conditions: [sourceCondition, 'node', 'development|production'] },
  ssr: { resolve: { conditions: [sourceCondition, 'node', 'development|production'] } },
  test: {
    projects: [
      {
        extends: true,
        // A process for each file takes longer to load the sources than its tests to run.
        test: { name: 'tests', include: shared, exclude: [...leftOut, ...ownProcess], isolate: false },
      },
      { extends: true, test: { name: 'tests alone', include: alone, exclude: leftOut, isolate: true } },
    ],
    environment: 'node',
    setupFiles: ['scripts/zone-of-process.mjs'],
    globals: false,
    pool: 'forks',
    // What was made of an unchanged source is read again: half of what loading all of them takes.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/calends/modules' },
    // Projects take it from here: VITEST_MAX_WORKERS sets another number, --maxWorkers does not.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Ends what hangs; a busy machine takes a process of its own several seconds to begin.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 15_000,
    restoreMocks: true,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
      reportsDirectory: 'coverage',
    },
  },
});
