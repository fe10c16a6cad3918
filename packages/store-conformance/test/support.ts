import type { SchedulingStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { conformanceCases } from '../src/conformance-cases.js';
import type { ConformanceHarness, ConformanceLevel } from '../src/index.js';
import { runConformance } from '../src/run-conformance.js';

/** The title of every case. */
export const sentences = conformanceCases.flatMap(({ name: group, cases }) =>
  cases.map(({ name }) => `${group}: ${name}`),
);

/** A runner that only takes note of what it is given. */
export function defineWith(harness: ConformanceHarness, upTo?: ConformanceLevel) {
  const defined = new Map<string, (...given: readonly unknown[]) => Promise<void>>();
  const skipped: string[] = [];
  const endings: (() => Promise<void>)[] = [];
  let group = '';
  const define = (name: string, run: () => Promise<void>) => defined.set(`${group}: ${name}`, run);
  const skip = (name: string) => skipped.push(`${group}: ${name}`);
  runConformance({
    describe(name, defineCases) {
      group = name;
      defineCases();
    },
    it: Object.assign(define, { skip }),
    afterAll: (run) => endings.push(run),
    harness,
    upTo,
  });
  return { defined, skipped, end: () => Promise.all(endings.map((run) => run())) };
}

/** A harness of stores in memory, each made into another one. */
export function harnessOf(
  change: (store: SchedulingStore) => SchedulingStore = (store) => store,
  capabilities = memoryStore().capabilities,
): ConformanceHarness {
  return {
    capabilities,
    open: () => {
      let store = change(memoryStore());
      return Promise.resolve({
        get store() {
          return store;
        },
        reset: () => {
          store = change(memoryStore());
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
      });
    },
  };
}
