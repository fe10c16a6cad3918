import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { CalendsError } from '../domain/calls/errors.js';
import { guardedStore, keyAdvice, KeyCheck, MissingKeyError } from './key-check.js';
import { KeyRing, type Secrets } from './key-ring.js';

const [a, b, c] = ['a', 'b', 'c'].map((name) => `the secret ${name} of at least thirty-two bytes`) as [
  string,
  string,
  string,
];
const idOf = (secret: string): string => new KeyRing(secret).current.id;

/** A store that counts the looks at its keys, and processes over it with a clock that the test moves. */
function house() {
  const store = memoryStore();
  const state = { now: 0, looks: 0 };
  const list = () => {
    state.looks += 1;
    return store.keys.list();
  };
  const counting = { keys: { ...store.keys, list } };
  const process = (secret: Secrets): KeyCheck =>
    new KeyCheck({ store: counting, keys: new KeyRing(secret), elapsed: () => state.now });
  return { store, state, process };
}

async function refusalOf(call: () => unknown): Promise<readonly string[]> {
  try {
    await call();
    return [];
  } catch (error) {
    if (!CalendsError.is(error) || !(error.cause instanceof MissingKeyError)) throw error;
    expect(error.code).toBe('unavailable');
    return error.cause.keyIds;
  }
}

describe('Before a process writes (D67)', () => {
  it('a process names the key that it signs with, and not those that it lists besides', async () => {
    const { store, process } = house();
    await process([a, b]).admit();
    expect((await store.keys.list()).map(({ number, id }) => [number, id])).toEqual([[1, idOf(a)]]);
    await process([b, a]).admit();
    expect((await store.keys.list()).map(({ number, id }) => [number, id])).toEqual([
      [1, idOf(a)],
      [2, idOf(b)],
    ]);
  });

  it.each<[string, Secrets, readonly string[]]>([
    ['another secret', c, [idOf(a), idOf(b)]],
    ['the new secret only', b, [idOf(a)]],
    ['the old secret only', a, [idOf(b)]],
    ['both', [a, b], []],
    ['both, the other way round', [b, a], []],
    ['both and a third', [c, b, a], []],
  ])('a process with %s is refused while it lacks a key that is named', async (_, secret, missing) => {
    const { process } = house();
    await process(a).admit();
    await process([b, a]).admit();
    expect(await refusalOf(() => process(secret).admit())).toEqual(missing);
    expect(await refusalOf(() => process(secret).check())).toEqual(missing);
  });

  it('a refused process names nothing', async () => {
    const { store, process } = house();
    await process(a).admit();
    expect(await refusalOf(() => process(b).admit())).toEqual([idOf(a)]);
    expect(await store.keys.list()).toHaveLength(1);
  });

  it('a key with the right id and another check value is not had', async () => {
    const { store, process } = house();
    await store.keys.add({ number: 1, id: idOf(a), check: 'of another secret' });
    expect(await refusalOf(() => process(a).admit())).toEqual([idOf(a)]);
  });

  it('of several processes with different secrets that come to an empty store at once, one may write', async () => {
    const { store, process } = house();
    const refusals = await Promise.all([a, b, c].map((secret) => refusalOf(() => process(secret).admit())));
    expect(refusals.filter((missing) => missing.length === 0)).toHaveLength(1);
    expect(await store.keys.list()).toHaveLength(1);
  });
});

describe('Inside a transaction of the host (D67)', () => {
  it('the look goes over its store, and is repeated after a key was named that a rollback would take away', async () => {
    const { state, store, process } = house();
    const check = process(a);
    const rolledBack = memoryStore();
    await check.admitWithin(rolledBack);
    expect(await rolledBack.keys.list()).toHaveLength(1);
    expect(state.looks).toBe(0);
    await check.admitWithin(store);
    expect(await store.keys.list()).toHaveLength(1);
    await check.admitWithin(store);
    expect(check.admitWithin(store)).toBeUndefined();
    expect(check.admit()).toBeUndefined();
  });

  it('a key that was named beside it need not be seen: a transaction may repeat what it has read before', async () => {
    const { state, store, process } = house();
    const check = process(a);
    const asItBegan = { keys: { ...store.keys, list: () => Promise.resolve([]) } };
    await check.admit();
    state.now += 2 * 60_000;
    await check.admitWithin(asItBegan);
    expect(await store.keys.list()).toHaveLength(1);
    await expect(process(b).admitWithin(asItBegan)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('outside of a transaction of the host, a key that was named once and is not there any more admits nobody', async () => {
    const { keys } = memoryStore();
    const store = { keys: { ...keys } };
    const check = new KeyCheck({ store, keys: new KeyRing(a), elapsed: () => 0 });
    await check.check();
    store.keys.list = () => Promise.resolve([]);
    await expect(check.check()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a process without a key that is in use writes nothing', async () => {
    const { store, process } = house();
    await process(a).admit();
    const check = process(b);
    expect(await refusalOf(() => check.admitWithin(store))).toEqual([idOf(a)]);
    expect(await refusalOf(() => check.admitWithin(store))).toEqual([idOf(a)]);
    expect(await store.keys.list()).toHaveLength(1);
  });
});

describe('A look at the keys (D67)', () => {
  it('a look at the keys is one for all writes of a second, and the later ones wait for none', async () => {
    const { state, process } = house();
    const check = process(a);
    await Promise.all(Array.from({ length: 50 }, async () => check.admit()));
    expect(state.looks).toBe(1);
    state.now = 999;
    expect(check.admit()).toBeUndefined();
    expect(state.looks).toBe(1);
    state.now = 1000;
    expect(Array.from({ length: 50 }, () => check.admit())).toEqual(Array.from({ length: 50 }, () => undefined));
    expect(state.looks).toBe(2);
  });

  it('a look at the keys refuses a process whose key was replaced while it ran, and lets it in again when it is not missed any more', async () => {
    const { state, process } = house();
    const old = process(a);
    await old.admit();
    await process([b, a]).admit();
    state.now = 1000;
    await old.admit();
    expect(await refusalOf(() => old.check())).toEqual([idOf(b)]);
    expect(await refusalOf(() => old.admit())).toEqual([idOf(b)]);
    const looks = state.looks;
    expect(await refusalOf(() => old.admit())).toEqual([idOf(b)]);
    expect(state.looks).toBe(looks);
    state.now = 2000;
    expect(await refusalOf(() => old.admit())).toEqual([idOf(b)]);
    expect(state.looks).toBe(looks + 1);
  });
});

describe('A key that nobody signs with (D67)', () => {
  it('a key that nobody signs with is not quiet any more once a process signs with it', async () => {
    const { store, process } = house();
    await process(a).admit();
    const [named] = await store.keys.list();
    if (named === undefined) throw new Error('The key is not named.');
    expect(await store.keys.change({ ...named, quietSince: 5 }, named)).toBe(true);
    await process([b, a]).admit();
    expect((await store.keys.list())[0]).toEqual({ ...named, quietSince: 5 });
    await process([a, b]).admit();
    expect((await store.keys.list())[0]).toEqual(named);
  });

  it('a key that nobody signs with is not missed once it is retired, and signs nothing again', async () => {
    const { store, process, state } = house();
    const running = process([a, b]);
    await running.admit();
    await process([b, a]).admit();
    const [named] = await store.keys.list();
    if (named === undefined) throw new Error('The key is not named.');
    await store.keys.change({ ...named, keptAudit: 'kept' }, named);
    expect(await refusalOf(() => process(b).admit())).toEqual([]);
    // A write waits for the look of a process that has not looked for a minute.
    state.now = 60_000;
    expect(await refusalOf(() => running.admit())).toEqual([idOf(a)]);
  });
});

describe('The advice of a check (D67)', () => {
  it.each<[string, Secrets, readonly RegExp[]]>([
    ['nothing to do with the one secret that is named', a, []],
    [
      'put the new one first, once it is listed everywhere',
      [a, b],
      [/has signed nothing yet; once every process lists it, put/],
    ],
    ['keep the old one, once the new one signs', [b, a], [/signed before, .*; keep it listed/]],
  ])('the advice of a check says: %s', async (_, secret, expected) => {
    const { store, process } = house();
    await process(a).admit();
    const advice = keyAdvice(new KeyRing(secret), await process(secret).check(), new Map());
    expect(advice).toEqual(expected.map((sentence) => expect.stringMatching(sentence) as string));
    expect(await store.keys.list()).not.toHaveLength(0);
  });
});

describe('A guarded store', () => {
  it('a guarded store asks before what begins a write, and lets reads and endings through', async () => {
    const { store, process } = house();
    await process(a).admit();
    const guarded = guardedStore(store, process(b));
    expect(await refusalOf(() => guarded.commit({ organizationId: 'org-1', events: [] }))).toEqual([idOf(a)]);
    expect(await refusalOf(() => guarded.events.purge(0, 1))).toEqual([idOf(a)]);
    expect(await guarded.appointments.find('org-1', 'a')).toBeUndefined();
    await guarded.events.settle([]);
    expect(guarded.capabilities).toEqual(store.capabilities);
  });
});
