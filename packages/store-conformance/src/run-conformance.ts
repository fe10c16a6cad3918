import type { StoreCapabilities } from '@calends/core/store';
import {
  type CaseContext,
  type ConformanceCase,
  type ConformanceHarness,
  type ConformanceLevel,
  conformanceLevels,
  hasLevel,
  type OpenedStore,
} from './conformance-case.js';
import { conformanceCases } from './conformance-cases.js';
import { missingMethods, WatchedStores } from './failure.js';

/** What the suite hands to the runner as the body of a test. */
export type TestBody = (...given: readonly unknown[]) => Promise<void>;

/** The functions of a test runner that the suite needs; those of Vitest, Jest and `node:test` fit. */
export interface ConformanceRun {
  readonly describe: (name: string, define: () => void) => unknown;
  /** What the runner hands to a case may have `skip`, as in Vitest and `node:test`. */
  readonly it: ((name: string, run: TestBody) => unknown) & { readonly skip: (name: string, run: TestBody) => unknown };
  /** `after` of `node:test`. */
  readonly afterAll: (run: () => Promise<void>) => unknown;
  readonly harness: ConformanceHarness;
  /** How far the store conforms, with all levels before; all of them by default. */
  readonly upTo?: ConformanceLevel | undefined;
}

/** A case that cannot be shown on a store, and why. */
export interface SkippedCase {
  readonly group: string;
  readonly name: string;
  readonly reason: string;
}

const allLevels: ConformanceLevel = 'retention';

const lacking = {
  durable: 'nothing outlives the process here',
  sharedBetweenProcesses: 'there is one process here',
  marksCommits: 'every read sees every commit here',
} as const satisfies Record<keyof StoreCapabilities, string>;

function reasonToSkip(
  { requires, level }: ConformanceCase,
  capabilities: StoreCapabilities,
  upTo: ConformanceLevel,
): string | undefined {
  if (conformanceLevels.indexOf(level) > conformanceLevels.indexOf(upTo)) return `this store goes up to ${upTo}`;
  return requires === undefined || capabilities[requires] ? undefined : lacking[requires];
}

/** The cases that do not apply to a store with these capabilities. */
export function skippedCases(
  capabilities: StoreCapabilities,
  upTo: ConformanceLevel = allLevels,
): readonly SkippedCase[] {
  return conformanceCases.flatMap(({ name: group, cases }) =>
    cases.flatMap((candidate) => {
      const reason = reasonToSkip(candidate, capabilities, upTo);
      return reason === undefined ? [] : [{ group, name: candidate.name, reason }];
    }),
  );
}

function contextOf(
  opened: OpenedStore,
  stores: WatchedStores,
  shown: Pick<CaseContext, 'capabilities' | 'upTo'>,
  organizationId: string,
): CaseContext {
  const missing = (method: string) => Promise.reject(new Error(`The harness must offer ${method} to show this.`));
  return {
    ...shown,
    organization: (name) => `${organizationId}-${name}`,
    reopen: async () => stores.watch(await (opened.reopen?.() ?? missing('reopen()'))),
    secondWriter: async () => stores.watch(await (opened.secondWriter?.() ?? missing('secondWriter()'))),
  };
}

/** Skips a case that has begun, with the reason, where the runner can; elsewhere it fails with no more than the reason. */
function skipRunning([test]: readonly unknown[], reason: string): void {
  const skip: unknown = Reflect.get(Object(test) as object, 'skip');
  if (typeof skip !== 'function') throw new Error(reason);
  Reflect.apply(skip, test, [reason]);
}

/**
 * Defines every conformance case with the functions of a test runner; within a level there is no way to choose among them.
 *
 * The store is opened once. Every case works in organizations of its own, named after its place in the suite,
 * so that one database serves them all.
 */
export function runConformance({ describe, it, afterAll, harness, upTo = allLevels }: ConformanceRun): void {
  let opening: Promise<OpenedStore> | undefined;
  let position = 0;

  const run = async (group: string, candidate: ConformanceCase, organizationId: string, given: readonly unknown[]) => {
    opening ??= harness.open();
    const opened = await opening;
    if (!hasLevel(opened.store, candidate.level)) {
      skipRunning(given, `the store has no ${candidate.level}, which is optional`);
      return;
    }
    const [first, ...others] = missingMethods(opened.store, candidate.level);
    if (first !== undefined && candidate.rule !== 'complete') {
      skipRunning(given, `the store lacks ${[first, ...(others.length > 0 ? ['others'] : [])].join(' and ')}`);
      return;
    }
    if (candidate.emptyStore === true) await opened.reset();
    const stores = new WatchedStores();
    try {
      const context = contextOf(opened, stores, { capabilities: harness.capabilities, upTo }, organizationId);
      await candidate.run(stores.watch(opened.store), organizationId, context);
    } catch (fault) {
      throw stores.explained(fault, `${group}: ${candidate.name}`, candidate.rule);
    }
  };

  for (const group of conformanceCases) {
    describe(group.name, () => {
      for (const candidate of group.cases) {
        position += 1;
        const organizationId = `org-${position}`;
        const reason = reasonToSkip(candidate, harness.capabilities, upTo);
        if (reason === undefined) it(candidate.name, (...given) => run(group.name, candidate, organizationId, given));
        // What a store declares that it cannot do stays in the report, with the reason.
        else it.skip(`${candidate.name} (${reason})`, () => Promise.resolve());
      }
    });
  }

  afterAll(async () => {
    if (opening !== undefined) await (await opening).close();
  });
}
