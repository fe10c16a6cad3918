import type { AuditEntry, AuditSeal, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { type Words, words } from '../fixtures/words.js';
import { auditRecord, expect, spoil } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { aSeal } from '../fixtures/audit.js';
import { awkwardTexts, lookalikes } from '../fixtures/awkward-values.js';
import { proving } from '../fixtures/proofs.js';
import { commitAll, numbers } from '../steps.js';

/** Entries with these ids; the order of their times is the opposite of that of their ids. */
const entriesOf = (a: Words, ids: readonly string[]): readonly AuditEntry[] =>
  ids.map((id, index) => a.entry({ id, at: fixtureStart - index }));

async function record(store: SchedulingStore, a: Words, ids: readonly string[]): Promise<readonly AuditEntry[]> {
  const audit = entriesOf(a, ids);
  // Not in the order of their ids.
  await commitAll(store, a.change({ audit: audit.toReversed() }));
  return audit;
}

async function sealAll(store: SchedulingStore, ...seals: readonly AuditSeal[]): Promise<void> {
  for (const seal of seals) expect(await store.audit.seal(seal)).toEqual(true);
}

export const auditSealsGroup = group('a sealed line of the audit record is in exactly one seal', [
  { rule: 'seals', emptyStore: true },
  it('unsealed lines come by id in code point order, bounded, with the last seal', async (store, a, organizationId) => {
    expect(await store.audit.unsealed(10)).toEqual(undefined);
    const ids = ['B', 'a', 'b', '\u00e9', '\uff5e', '\u{10400}'];
    const entries = await record(store, a, ids);
    const all = { organizationId, entries, lastSeal: undefined };
    expect(await store.audit.unsealed(10)).toEqual(all);
    expect(await store.audit.unsealed(6)).toEqual(all);
    expect(await store.audit.unsealed(2)).toEqual({ ...all, entries: entries.slice(0, 2) });

    const first = a.seal({ entryIds: ['B', 'a'] });
    const second = a.seal({ number: 2, entryIds: ['\u00e9'], hash: 'hash-2' });
    await sealAll(store, first);
    const rest = { organizationId, entries: entries.slice(2), lastSeal: first };
    expect(await store.audit.unsealed(10)).toEqual(rest);
    await sealAll(store, second);
    const others = { organizationId, entries: [entries[2], entries[4], entries[5]], lastSeal: second };
    expect(await store.audit.unsealed(10)).toEqual(others);
    await sealAll(store, a.seal({ number: 3, entryIds: ['b', '\uff5e', '\u{10400}'] }));
    expect(await store.audit.unsealed(10)).toEqual(undefined);
  }),
  it('organizations come one after another in code point order, those that have unsealed lines', async (store, a) => {
    const all = ['B', 'a', 'b', '\u00e9', '\uff5e', '\u{10400}'].map((name) => a.of(name));
    const names = all.map((each) => each.organizationId);
    for (const each of all.toReversed()) await record(store, each, ['entry-1', 'entry-2']);
    const [, , third = ''] = names;
    await sealAll(store, aSeal(third, { entryIds: ['entry-1', 'entry-2'] }));
    const expected = names.filter((name) => name !== third);

    const visited: string[] = [];
    let next = await store.audit.unsealed(10);
    while (next !== undefined && visited.length < 10) {
      visited.push(next.organizationId);
      expect(next.entries).toEqual(entriesOf(words(next.organizationId), ['entry-1', 'entry-2']));
      next = await store.audit.unsealed(10, next.organizationId);
    }
    expect(visited).toEqual(expected);
    expect((await store.audit.unsealed(1))?.organizationId).toEqual(names[0]);
    expect((await store.audit.unsealed(1, third))?.organizationId).toEqual(names[3]);
    const { lastSeal } = (await store.audit.unsealed(1, names[1])) ?? {};
    expect(lastSeal).toEqual(undefined);
  }),
  it('each organization has its own chain over its own lines', async (store, a, organizationId) => {
    const b = a.of('b');
    const other = b.organizationId;
    const mine = await record(store, a, ['entry-1', 'entry-2']);
    const theirs = await record(store, b, ['entry-1', 'entry-3']);
    const seals = [
      a.seal({ entryIds: ['entry-1', 'entry-2'], hash: 'mine' }),
      b.seal({ entryIds: ['entry-1'], hash: 'theirs' }),
    ] as const;
    await sealAll(store, ...seals);
    expect(await store.audit.listSeals(organizationId, 1, 10)).toEqual([{ seal: seals[0], entries: mine }]);
    expect(await store.audit.listSeals(other, 1, 10)).toEqual([{ seal: seals[1], entries: theirs.slice(0, 1) }]);
    expect([await store.audit.countUnsealed(organizationId), await store.audit.countUnsealed(other)]).toEqual([0, 1]);
    const expected = { organizationId: other, entries: theirs.slice(1), lastSeal: seals[1] };
    expect(await store.audit.unsealed(10)).toEqual(expected);
  }),
  { rule: 'seals' },
  it('seals come back in order and exactly, with their lines by id, from a number on and bounded', async (store, a, organizationId) => {
    const texts = awkwardTexts.map(([, text]) => text);
    const seals = texts.map((text, index) =>
      a.seal({ number: index + 1, entryIds: [`a-${index}`, `b-${index}`], hash: text, sealedAt: fixtureStart + index }),
    );
    const ids = seals.flatMap(({ entryIds }) => entryIds);
    const entries = await record(store, a, ids);
    await sealAll(store, ...seals);
    const all = seals.map((seal, index) => ({ seal, entries: entries.slice(2 * index, 2 * index + 2) }));
    expect(await store.audit.listSeals(organizationId, 1, 100)).toEqual(all);
    expect(await store.audit.listSeals(organizationId, 3, 2)).toEqual(all.slice(2, 4));
    expect(await store.audit.listSeals(organizationId, all.length, 5)).toEqual(all.slice(-1));
    expect(await store.audit.listSeals(organizationId, all.length + 1, 5)).toEqual([]);
  }),
  it('a seal whose number is taken, or leaves a gap, is refused and covers nothing', async (store, a, organizationId) => {
    await record(store, a, ['entry-1', 'entry-2', 'entry-3']);
    expect(await store.audit.seal(a.seal({ number: 2 }))).toEqual(false);
    const first = a.seal();
    await sealAll(store, first);
    for (const number of [1, 3]) {
      const refused = a.seal({ number, entryIds: ['entry-2'], hash: 'refused' });
      expect(await store.audit.seal(refused)).toEqual(false);
    }
    expect(await store.audit.countUnsealed(organizationId)).toEqual(2);
    expect((await store.audit.listSeals(organizationId, 1, 10)).map(({ seal }) => seal)).toEqual([first]);
    await sealAll(store, a.seal({ number: 2, entryIds: ['entry-2'] }));
  }),
  it('a seal over a line that is sealed, twice named, foreign or unknown is refused and covers nothing', async (store, a, organizationId) => {
    await record(store, a.of('b'), ['foreign']);
    const entries = await record(store, a, ['entry-1', 'entry-2', 'entry-3']);
    await sealAll(store, a.seal());
    for (const entryIds of [
      ['entry-1'],
      ['entry-1', 'entry-2'],
      ['entry-2', 'entry-2'],
      ['entry-2', 'foreign'],
      ['entry-2', 'unknown'],
    ]) {
      expect(await store.audit.seal(a.seal({ number: 2, entryIds }))).toEqual(false);
    }
    expect(await store.audit.countUnsealed(organizationId)).toEqual(2);
    expect(await store.audit.countUnsealed(a.of('b').organizationId)).toEqual(1);
    const second = a.seal({ number: 2, entryIds: ['entry-2', 'entry-3'] });
    await sealAll(store, second);
    const [, sealed] = await store.audit.listSeals(organizationId, 1, 10);
    expect(sealed).toEqual({ seal: second, entries: entries.slice(1) });
  }),
  it('a seal leaves the record as it is, and lines that come later wait for another one', async (store, a, organizationId) => {
    const entries = await record(store, a, ['entry-2', 'entry-3']);
    await sealAll(store, a.seal({ entryIds: ['entry-2', 'entry-3'] }));
    expect(await auditRecord(store, organizationId)).toEqual(entries);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(0);
    // Its id comes first: seals go by what is unsealed, not by the highest id.
    await record(store, a, ['entry-1']);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(1);
    await sealAll(store, a.seal({ number: 2, entryIds: ['entry-1'] }));
    expect(await store.audit.countUnsealed(organizationId)).toEqual(0);
  }),
  it('five hundred lines stand under one seal', async (store, a, organizationId) => {
    const ids = numbers(500)
      .map((index) => `entry-${index}`.padEnd(36, 'x'))
      .sort();
    await record(store, a, ids);
    const seal = a.seal({ entryIds: ids });
    await sealAll(store, seal);
    const [sealed] = await store.audit.listSeals(organizationId, 1, 1);
    expect(sealed?.seal).toEqual(seal);
    expect(sealed?.entries.map(({ id }) => id)).toEqual(ids);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(0);
  }),
  { rule: 'code-points' },
  it('organizations and lines that look alike are counted, sealed and listed apart', async (store, a) => {
    const organizations = lookalikes(a.of('o').organizationId);
    const ids = lookalikes('entry-');
    for (const each of organizations) {
      const audit = ids.map((id) => a.entry({ organizationId: each, id }));
      await commitAll(store, proving(each, { audit }));
    }
    for (const [index, each] of organizations.entries()) {
      const entryIds = [ids[index % ids.length] ?? ''];
      await sealAll(store, aSeal(each, { entryIds, hash: each }));
      expect(await store.audit.countUnsealed(each)).toEqual(ids.length - 1);
      const [sealed, ...others] = await store.audit.listSeals(each, 1, 10);
      expect(others).toEqual([]);
      expect(sealed?.seal.hash).toEqual(each);
      expect(sealed?.entries.map(({ organizationId, id }) => [organizationId, id])).toEqual([[each, ...entryIds]]);
    }
  }),
  { rule: 'copies', emptyStore: true },
  it('what a caller does to an answer or to a seal that it gave changes nothing stored', async (store, a, organizationId) => {
    const entries = await record(store, a, ['entry-1', 'entry-2']);
    const expected = a.seal();
    const given = structuredClone(expected);
    await sealAll(store, given);
    spoil(given);
    spoil(await store.audit.listSeals(organizationId, 1, 10));
    spoil(await store.audit.unsealed(10));
    const sealed = [{ seal: expected, entries: entries.slice(0, 1) }];
    expect(await store.audit.listSeals(organizationId, 1, 10)).toEqual(sealed);
    const unsealed = { organizationId, entries: entries.slice(1), lastSeal: expected };
    expect(await store.audit.unsealed(10)).toEqual(unsealed);
  }),
]);
