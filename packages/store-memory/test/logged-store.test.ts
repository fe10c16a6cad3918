import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Change } from '@calends/core/store';
import { type OpenedStore, runConformance } from '@calends/store-conformance';
import { afterAll, describe, expect, it } from 'vitest';
import { type CommandLog, loggedStore } from '../src/index.js';
import { logOf } from './log-of.js';

function openLogged(): OpenedStore {
  let entries: string[] = [];
  let store = loggedStore(logOf(entries));
  const another = () => Promise.resolve(loggedStore(logOf(entries)));
  return {
    get store() {
      return store;
    },
    reset: () => {
      entries = [];
      store = loggedStore(logOf(entries));
      return Promise.resolve();
    },
    reopen: async () => {
      store = await another();
      return store;
    },
    secondWriter: another,
    close: () => Promise.resolve(),
  };
}

describe('a store over a log', () => {
  const capabilities = { durable: true, sharedBetweenProcesses: true };
  runConformance({ describe, it, afterAll, harness: { capabilities, open: () => Promise.resolve(openLogged()) } });

  it('a store over a log writes what waits at one time as one entry, and reads as none', async () => {
    const entries: string[] = [];
    const store = loggedStore(logOf(entries));
    const change = { organizationId: 'org-1', events: [] };
    await store.commit(change);
    await Promise.all([store.commit(change), store.keys.list(), store.commit(change), store.commit(change)]);
    expect(entries.map((entry) => (JSON.parse(entry) as unknown[]).length)).toEqual([1, 1, 2]);
  });

  it('a store over a log writes a claim with its time where the time is left to the store', async () => {
    const entries: string[] = [];
    const before = Date.now();
    await loggedStore(logOf(entries)).notifications.claim({
      channel: 'EMAIL',
      limit: 1,
      leaseFor: 1000,
      now: undefined,
    });
    const [[, claim]] = JSON.parse(entries[0] ?? '') as [[string, { now: number }]];
    expect(claim.now).toBeGreaterThanOrEqual(before);
    expect(claim.now).toBeLessThanOrEqual(Date.now());
  });

  it('a store over a log writes the claim of a job with its time where the time is left to the store', async () => {
    const entries: string[] = [];
    const before = Date.now();
    await loggedStore(logOf(entries)).retention?.claim({ job: 'retention', holder: randomUUID(), leaseFor: 30_000 });
    const [[, claim]] = JSON.parse(entries[0] ?? '') as [[string, { now: number }]];
    expect(claim.now).toBeGreaterThanOrEqual(before);
    expect(claim.now).toBeLessThanOrEqual(Date.now());
  });

  it('a store over a log writes by which time holds live, where a commit looks at them', async () => {
    const entries: string[] = [];
    const store = loggedStore(logOf(entries));
    const before = Date.now();
    const change = { organizationId: 'org-1', events: [] };
    await store.commit({ ...change, holds: { release: ['hold-1'] } });
    await store.commit({ ...change, limits: [], holdsAt: 7 });
    await store.commit(change);
    const [first, second, third] = entries.flatMap((entry) =>
      (JSON.parse(entry) as [string, Change][]).map(([, each]) => each.holdsAt),
    );
    expect(first).toBeGreaterThanOrEqual(before);
    expect(first).toBeLessThanOrEqual(Date.now());
    expect([second, third]).toEqual([7, undefined]);
  });

  it('a store over a log comes to its turn beside one that writes without a pause, though it has more to read each time', async () => {
    const entries: string[] = [];
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1) await setImmediate();
    };
    // What stood there when the answer began, as many turns later.
    const logThatTakes = (readTurns: number): CommandLog => ({
      async read(from) {
        const known = entries.slice(from);
        await turns(readTurns);
        return known;
      },
      async put(place, entry) {
        await turns(1);
        if (place < entries.length) return false;
        entries.push(entry);
        return true;
      },
    });
    const [busy, other] = [loggedStore(logThatTakes(1)), loggedStore(logThatTakes(2))];
    const change = { organizationId: 'org-1', events: [] };
    let isWritten = false;
    let beside = 0;
    const writeOn = async () => {
      for (; !isWritten && beside < 100; beside += 1) await busy.commit(change);
    };
    const writing = writeOn();
    await other.commit(change);
    isWritten = true;
    await writing;
    expect(beside).toBeLessThan(20);
  });

  it('a store over a log works on after something that cannot be written as text', async () => {
    const store = loggedStore(logOf([]));
    const change = { organizationId: 'org-1', events: [1n] } as unknown as Change;
    await expect(store.commit(change)).rejects.toMatchObject({ code: 'unavailable', outcome: 'none' });
    await expect(store.check()).resolves.toEqual({});
  });

  it('a store over a log says of a fault of its log whether something may have been written', async () => {
    const change = { organizationId: 'org-1', events: [] };
    const broken = () => Promise.reject(new Error('gone'));
    const unread = loggedStore({ read: broken, put: broken });
    await expect(unread.commit(change)).rejects.toMatchObject({ code: 'unavailable', outcome: 'none' });
    const unwritten = loggedStore({ ...logOf([]), put: broken });
    await expect(unwritten.commit(change)).rejects.toMatchObject({ code: 'unavailable', outcome: 'unknown' });
    await expect(unwritten.check()).resolves.toEqual({});
  });

  it.each<readonly [string, unknown]>([
    ['half of one', '[["commit",{"organi'],
    ['none at all', 'null'],
    ['one of commands that are none', '[5]'],
    ['one with a method that the store does not have', '[["appointments.forget","org-1"]]'],
    ['one that the database has read as JSON', [['keys.list']]],
  ])('a store over a log goes past no entry that it cannot read: %s', async (_what, entry) => {
    const entries = [entry as string];
    const store = loggedStore(logOf(entries));
    for (const ask of [() => store.check(), () => store.commit({ organizationId: 'org-1', events: [] })]) {
      await expect(ask()).rejects.toMatchObject({ code: 'unavailable', outcome: 'none', cause: expect.any(TypeError) });
    }
    expect(entries).toEqual([entry]);
  });

  it.each<readonly [string, unknown]>([
    ['nothing', undefined],
    ['the result of a statement', { rowCount: 0 }],
  ])(
    'a store over a log puts an entry once where the log does not say whether it took it: %s',
    async (_what, answer) => {
      const entries: string[] = [];
      const put = (_place: number, entry: string): Promise<boolean> => {
        if (entries.length > 2) throw new Error('The store should have given up.');
        entries.push(entry);
        return Promise.resolve(answer as boolean);
      };
      const commit = loggedStore({ ...logOf(entries), put }).commit({ organizationId: 'org-1', events: [] });
      await expect(commit).rejects.toMatchObject({ outcome: 'unknown', cause: expect.any(TypeError) });
      expect(entries).toHaveLength(1);
    },
  );

  const both = { durable: true, sharedBetweenProcesses: true };
  it.each<readonly [unknown, unknown, string]>([
    [undefined, both, 'loggedStore: log: must have read'],
    [{ read: () => Promise.resolve([]) }, both, 'loggedStore: log: must have put'],
    [logOf([]), { ...both, durble: true }, 'loggedStore: capabilities: unknown option durble; did you mean durable?'],
    [logOf([]), { durable: true }, 'loggedStore: capabilities: sharedBetweenProcesses: must be a boolean'],
  ])(
    'a store over a log refuses what is no log, and capabilities that are none: %j, %j',
    (log, capabilities, fault) => {
      expect(() => loggedStore(log as CommandLog, capabilities as typeof both)).toThrow(new TypeError(fault));
    },
  );
});
