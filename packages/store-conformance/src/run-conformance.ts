import type { StoreCapabilities } from '@calends/core';
import type { CaseContext, ConformanceCase, ConformanceHarness, OpenedStore } from './conformance-case.js';
import { conformanceCases } from './conformance-cases.js';
import { WatchedStores } from './failure.js';

/** The functions of a test runner that the suite needs; those of Vitest, Jest and `node:test` fit. */
export interface ConformanceRun {
  readonly describe: (name: string, define: () => void) => unknown;
  readonly it: ((name: string, run: () => Promise<void>) => unknown) & {
    readonly skip: (name: string, run: () => Promise<void>) => unknown;
  };
  /** `after` of `node:test`. */
  readonly afterAll: (run: () => Promise<void>) => unknown;
  readonly harness: ConformanceHarness;
}

/** A case that cannot be shown on a store, and why. */
export interface SkippedCase {
  readonly group: string;
  readonly name: string;
  readonly reason: string;
}

const lacking = {
  durable: 'nothing outlives the process here',
  sharedBetweenProcesses: 'there is one process here',
} as const satisfies Record<keyof StoreCapabilities, string>;

const reasonToSkip = ({ requires }: ConformanceCase, capabilities: StoreCapabilities): string | undefined =>
  requires === undefined || capabilities[requires] ? undefined : lacking[requires];

/** The cases that do not apply to a store with these capabilities. */
export function skippedCases(capabilities: StoreCapabilities): readonly SkippedCase[] {
  return conformanceCases.flatMap(({ name: group, cases }) =>
    cases.flatMap((candidate) => {
      const reason = reasonToSkip(candidate, capabilities);
      return reason === undefined ? [] : [{ group, name: candidate.name, reason }];
    }),
  );
}

function contextOf(
  opened: OpenedStore,
  stores: WatchedStores,
  capabilities: StoreCapabilities,
  organizationId: string,
): CaseContext {
  const missing = (method: string) => Promise.reject(new Error(`The harness must offer ${method} to show this.`));
  return {
    store: stores.watch(opened.store),
    capabilities,
    organizationId,
    organization: (name) => `${organizationId}-${name}`,
    reopen: async () => stores.watch(await (opened.reopen?.() ?? missing('reopen()'))),
    secondWriter: async () => stores.watch(await (opened.secondWriter?.() ?? missing('secondWriter()'))),
  };
}

/**
 * Defines every conformance case with the functions of a test runner; there is no way to choose among them.
 *
 * The store is opened once. Every case works in organizations of its own, named after its place in the suite,
 * so that one database serves them all.
 */
export function runConformance({ describe, it, afterAll, harness }: ConformanceRun): void {
  let opening: Promise<OpenedStore> | undefined;
  let position = 0;

  const run = async (group: string, candidate: ConformanceCase, organizationId: string): Promise<void> => {
    opening ??= harness.open();
    const opened = await opening;
    if (candidate.emptyStore === true) await opened.reset();
    const stores = new WatchedStores();
    try {
      await candidate.run(contextOf(opened, stores, harness.capabilities, organizationId));
    } catch (fault) {
      throw stores.explained(fault, `${group}: ${candidate.name}`, candidate.rule);
    }
  };

  for (const group of conformanceCases) {
    describe(group.name, () => {
      for (const candidate of group.cases) {
        position += 1;
        const organizationId = `org-${position}`;
        const reason = reasonToSkip(candidate, harness.capabilities);
        if (reason === undefined) it(candidate.name, () => run(group.name, candidate, organizationId));
        // What a store declares that it cannot do stays in the report, with the reason.
        else it.skip(`${candidate.name} (${reason})`, () => Promise.resolve());
      }
    });
  }

  afterAll(async () => {
    if (opening !== undefined) await (await opening).close();
  });
}
