import type { SchedulingStore } from '@calends/core';
import { describe, expect, it } from 'vitest';
import type { ConformanceHarness } from './conformance-case.js';
import { conformanceCases } from './conformance-cases.js';
import { runConformance, skippedCases } from './run-conformance.js';

const names = conformanceCases.flatMap(({ name: group, cases }) => cases.map(({ name }) => `${group}: ${name}`));

/** A runner that only takes note of what it is given. */
function defineWith(harness: ConformanceHarness) {
  const defined = new Map<string, () => Promise<void>>();
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
  });
  return { defined, skipped, end: () => Promise.all(endings.map((run) => run())) };
}

/** A store on which nothing works, and the calls that its harness got. */
function brokenHarness(capabilities: ConformanceHarness['capabilities']) {
  const calls: string[] = [];
  const store = new Proxy({} as SchedulingStore, {
    get: (_, method) => (method === 'capabilities' ? capabilities : () => Promise.reject(new Error(String(method)))),
  });
  const noted = (call: string) => () => {
    calls.push(call);
    return Promise.resolve();
  };
  const harness: ConformanceHarness = {
    capabilities,
    open: () => {
      calls.push('open');
      return Promise.resolve({ store, reset: noted('reset'), close: noted('close') });
    },
  };
  return { harness, calls };
}

const nothing = { durable: false, sharedBetweenProcesses: false };
const everything = { durable: true, sharedBetweenProcesses: true };

describe('runConformance', () => {
  it('defines every case for every store, with a name of its own', () => {
    const { defined, skipped } = defineWith(brokenHarness(everything).harness);
    expect([...defined.keys()]).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
    expect(skipped).toEqual([]);
  });

  it('shows the cases that do not apply as skipped, with the reason', () => {
    const { defined, skipped } = defineWith(brokenHarness(nothing).harness);
    const expected = skippedCases(nothing).map(({ group, name, reason }) => `${group}: ${name} (${reason})`);
    expect(skipped).toEqual(expected);
    expect(defined.size + skipped.length).toBe(names.length);
    expect(skipped.length).toBeGreaterThan(0);
    expect(skippedCases(everything)).toEqual([]);
  });

  it('opens the store once, when the first case runs, and closes it at the end', async () => {
    const { harness, calls } = brokenHarness(nothing);
    const { defined, end } = defineWith(harness);
    expect(calls).toEqual([]);
    await Promise.allSettled([...defined.values()].slice(0, 3).map((run) => run()));
    await end();
    expect(calls).toEqual(['open', 'close']);
  });

  it('does not open a store only to close it', async () => {
    const { harness, calls } = brokenHarness(nothing);
    await defineWith(harness).end();
    expect(calls).toEqual([]);
  });

  it('fails every case but the one about capabilities on a store where nothing works', async () => {
    const { defined } = defineWith(brokenHarness(everything).harness);
    const passed: string[] = [];
    for (const [name, run] of defined) {
      await run().then(
        () => passed.push(name),
        () => undefined,
      );
    }
    expect(passed).toEqual(['a store says how it stands: it claims every capability that can be shown of it']);
  });

  it('tells in a failure what does not hold, the rule, and what the store was asked last', async () => {
    const counting =
      'windows are counted half-open (D27, D29): countStarting: cancelled and aborted ones and other applications are left out';
    const fault = await failureOf(counting, {
      commit: () => Promise.resolve({ status: 'committed' }),
      countStarting: ({ windows }) => Promise.resolve(windows.map(() => 2)),
    });
    expect(fault.message).toContain(`This does not hold of the store: ${counting}.\nThe rule: what is neither`);
    expect(fault.message).toMatch(/`isLive`.* \(docs\/guides\/write-a-store\.md\)\nAsked last: countStarting\(\{ org/);
    expect(fault.stack).toContain(fault.message);
    expect(fault).toMatchObject({ actual: [2], expected: [4] });
  });

  it('lists the methods that are missing once, and names the one that is asked for elsewhere', async () => {
    const listed = await failureOf('a store says how it stands: it has every method of the port', { commit: never });
    expect(listed).toMatchObject({ expected: [], actual: expect.arrayContaining(['findAppointment', 'countTickets']) });
    expect(listed).toMatchObject({ actual: expect.not.arrayContaining(['commit', 'repairQueue', 'capabilities']) });
    const elsewhere = await failureOf(
      'a store says how it stands: a store in reach and of the right schema passes its check',
      {},
    );
    expect(elsewhere.message).toMatch(/\nThe store has no method check\.$/);
  });
});

const never = () => new Promise<never>(() => undefined);

/** What a case tells of a store that has these methods alone. */
async function failureOf(name: string, methods: Partial<SchedulingStore>): Promise<Error> {
  const store = { capabilities: nothing, ...methods } as SchedulingStore;
  const done = () => Promise.resolve();
  const opened = { store, reset: done, close: done };
  const { defined } = defineWith({ capabilities: nothing, open: () => Promise.resolve(opened) });
  return (await defined
    .get(name)?.()
    .then(
      () => new Error(`${name} passed`),
      (fault: unknown) => fault,
    )) as Error;
}
