import { type SchedulingStore, wrapStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { defineWith, harnessOf, sentences } from '../test/support.js';
import { type ConformanceHarness, optionalLevels } from './conformance-case.js';
import { conformanceCases } from './conformance-cases.js';
import { rules } from './rules.js';
import { skippedCases } from './run-conformance.js';

/** A store on which nothing works, and the calls that its harness got. */
function brokenHarness(capabilities: ConformanceHarness['capabilities']) {
  const calls: string[] = [];
  const broken = wrapStore(memoryStore(), (method) => () => Promise.reject(new Error(method)));
  const store = { ...broken, capabilities };
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

const complete = 'a store says how it stands: it has every method of the port';
const counting =
  'windows are counted half-open (D27, D29): countStarting: cancelled and aborted ones and other applications are left out';

/** What a case tells that fails. */
async function failureOf(run: Promise<void> | undefined): Promise<Error> {
  return (await run?.then(
    () => new Error('It passed.'),
    (fault: unknown) => fault,
  )) as Error;
}

describe('runConformance', () => {
  it('runConformance defines every case for every store, with a name of its own', () => {
    const { defined, skipped } = defineWith(brokenHarness(everything).harness);
    expect([...defined.keys()]).toEqual(sentences);
    expect(new Set(sentences).size).toBe(sentences.length);
    expect(skipped).toEqual([]);
  });

  it('runConformance shows the cases that do not apply as skipped, with the reason', () => {
    const { defined, skipped } = defineWith(brokenHarness(nothing).harness);
    const expected = skippedCases(nothing).map(({ group, name, reason }) => `${group}: ${name} (${reason})`);
    expect(skipped).toEqual(expected);
    expect(defined.size + skipped.length).toBe(sentences.length);
    expect(skipped.length).toBeGreaterThan(0);
    expect(skippedCases(everything)).toEqual([]);
  });

  it('runConformance shows the cases of later levels as skipped, and each level has cases of its own', () => {
    const { defined, skipped } = defineWith(brokenHarness(everything).harness, 'requests');
    const levels = conformanceCases.flatMap(({ cases }) => cases.map(({ level }) => level));
    expect(defined.size).toBe(levels.filter((level) => level === 'appointments' || level === 'requests').length);
    expect(skipped[0]).toMatch(/ \(this store goes up to requests\)$/);
    expect(new Set(levels).size).toBe(9);
  });

  it('runConformance stands for each sentence of the guide by at least one case', () => {
    const shown = conformanceCases.flatMap(({ cases }) => cases.map(({ rule }) => rule));
    expect(Object.keys(rules).sort()).toEqual([...new Set(shown)].sort());
  });

  it('runConformance opens the store once, when the first case runs, and closes it at the end', async () => {
    const { harness, calls } = brokenHarness(nothing);
    const { defined, end } = defineWith(harness);
    expect(calls).toEqual([]);
    await Promise.allSettled([...defined.values()].slice(0, 3).map((run) => run()));
    await end();
    expect(calls).toEqual(['open', 'close']);
  });

  it('runConformance does not open a store only to close it', async () => {
    const { harness, calls } = brokenHarness(nothing);
    await defineWith(harness).end();
    expect(calls).toEqual([]);
  });

  it('runConformance fails every case but those about what a store says on a store where nothing works', async () => {
    const { defined } = defineWith(brokenHarness(everything).harness);
    const passed: string[] = [];
    for (const [name, run] of defined) {
      await run().then(
        () => passed.push(name),
        () => undefined,
      );
    }
    expect(passed).toEqual([
      complete,
      'a store says how it stands: it claims every capability that can be shown of it',
    ]);
  });

  it('runConformance tells in a failure what does not hold, the rule, and what the store was asked last', async () => {
    const { defined } = defineWith(
      harnessOf((store) => {
        const countStarting: SchedulingStore['appointments']['countStarting'] = ({ windows }) =>
          Promise.resolve(windows.map(() => 2));
        return { ...store, appointments: { ...store.appointments, countStarting } };
      }),
    );
    const fault = await failureOf(defined.get(counting)?.());
    expect(fault.message).toContain(`This does not hold of the store: ${counting}.\nThe rule: A window counts`);
    expect(fault.message).toMatch(
      /`isLive`.* \(docs\/guides\/write-a-store\.md#windows\)\nAsked last: appointments\.countStarting\(\{ org/,
    );
    expect(fault.stack).toContain(fault.message);
    expect(fault).toMatchObject({ actual: [2], expected: [4] });
  });

  describe('on a store that is not complete', () => {
    const lackingOne = ({ audit: _, ...store }: SchedulingStore): SchedulingStore =>
      ({ ...store, events: {} }) as unknown as SchedulingStore;

    it('runConformance tells first, in one sentence, every method that is missing', async () => {
      const fault = await failureOf(defineWith(harnessOf(lackingOne)).defined.get(complete)?.());
      expect(fault.message).toMatch(
        /The store lacks events\.claim, events\.settle, events\.release, events\.list, events\.purge, audit\./,
      );
      expect(fault).toMatchObject({ actual: expect.not.arrayContaining(['notifications.repairQueue']) });
    });

    it('runConformance tells so of a store that does not say its capabilities', async () => {
      const lacking = ({ capabilities: _, ...store }: SchedulingStore) => store as SchedulingStore;
      const fault = await failureOf(defineWith(harnessOf(lacking)).defined.get(complete)?.());
      expect(fault.message).toContain('The store lacks capabilities.');
    });

    it('runConformance asks for nothing of the levels after the one that it goes up to', async () => {
      await defineWith(harnessOf(lackingOne), 'customers').defined.get(complete)?.();
    });

    it('runConformance skips the cases that need what is missing, with the reason, and runs the others', async () => {
      const skipped: string[] = [];
      const test = { skip: (reason: string) => skipped.push(reason) };
      const { defined } = defineWith(harnessOf(lackingOne));
      for (const [name, run] of defined) if (name !== complete) await run(test);
      const later = conformanceCases.flatMap(({ cases }) =>
        cases.filter(({ level }) =>
          ['events', 'notifications', 'audit', 'keys', 'availability', 'retention'].includes(level),
        ),
      );
      expect(skipped.length).toBeGreaterThan(100);
      expect(skipped.length).toBeLessThanOrEqual(later.length);
      expect(new Set(skipped)).toEqual(new Set(['the store lacks events.claim and others']));
    });

    it('runConformance asks for every method of availability where the store has any of it', async () => {
      const lacking = ({ availability, ...store }: SchedulingStore): SchedulingStore =>
        ({ ...store, availability: { findHold: availability?.findHold } }) as unknown as SchedulingStore;
      const fault = await failureOf(defineWith(harnessOf(lacking)).defined.get(complete)?.());
      expect(fault.message).toContain(
        'The store lacks availability.listRecords, availability.listBusy, availability.listTimes, availability.purgeHolds.',
      );
    });

    it.each(optionalLevels)(
      'runConformance skips every case of %s, and no other one, where the store has none of it',
      async (lacked) => {
        const skipped: [name: string, reason: string][] = [];
        const { defined } = defineWith(harnessOf((store) => ({ ...store, [lacked]: undefined })));
        for (const [name, run] of defined) await run({ skip: (reason: string) => skipped.push([name, reason]) });
        const expected = conformanceCases.flatMap(({ name: group, cases }) =>
          cases.filter(({ level }) => level === lacked).map(({ name }) => `${group}: ${name}`),
        );
        const applying = expected.filter((name) => defined.has(name));
        expect(skipped.map(([name]) => name)).toEqual(applying);
        expect(new Set(skipped.map(([, reason]) => reason))).toEqual(
          new Set([`the store has no ${lacked}, which is optional`]),
        );
      },
    );

    it('runConformance fails with the reason alone where the runner cannot skip a case that has begun', async () => {
      const [, last] = [...defineWith(harnessOf(lackingOne)).defined].at(-1) ?? [];
      expect((await failureOf(last?.())).message).toBe('the store lacks events.claim and others');
    });
  });
});
