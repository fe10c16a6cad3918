import assert from 'node:assert/strict';
import type { AuditEntry, AuditSeal, SchedulingStore } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { auditRecord, commitAll } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { anEntry, aSeal } from '../fixtures/audit.js';
import { awkwardTexts } from '../fixtures/awkward-values.js';
import { lookalikes } from '../fixtures/lookalikes.js';
import { proving } from '../fixtures/proofs.js';
import { spoil } from '../fixtures/spoil.js';

/** Entries with these ids; the order of their times is the opposite of that of their ids. */
const entriesOf = (organizationId: string, ids: readonly string[]): readonly AuditEntry[] =>
  ids.map((id, index) => anEntry({ organizationId, id, at: fixtureStart - index }));

async function record(
  store: SchedulingStore,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly AuditEntry[]> {
  const audit = entriesOf(organizationId, ids);
  // Not in the order of their ids.
  await commitAll(store, proving(organizationId, { audit: audit.toReversed() }));
  return audit;
}

async function sealAll(store: SchedulingStore, ...seals: readonly AuditSeal[]): Promise<void> {
  for (const seal of seals) assert.equal(await store.sealAudit(seal), true);
}

export const auditSealsGroup: ConformanceGroup = {
  name: 'a sealed line of the audit record is in exactly one seal',
  cases: [
    {
      name: 'unsealed lines come by id in code point order, bounded, with the last seal',
      emptyStore: true,
      async run({ store, organizationId }) {
        assert.equal(await store.unsealedAudit(10), undefined);
        const ids = ['B', 'a', 'b', '\u00e9', '\uff5e', '\u{10400}'];
        const entries = await record(store, organizationId, ids);
        const all = { organizationId, entries, lastSeal: undefined };
        assert.deepStrictEqual(await store.unsealedAudit(10), all);
        assert.deepStrictEqual(await store.unsealedAudit(6), all);
        assert.deepStrictEqual(await store.unsealedAudit(2), { ...all, entries: entries.slice(0, 2) });

        const first = aSeal(organizationId, { entryIds: ['B', 'a'] });
        const second = aSeal(organizationId, { number: 2, entryIds: ['\u00e9'], hash: 'hash-2' });
        await sealAll(store, first);
        const rest = { organizationId, entries: entries.slice(2), lastSeal: first };
        assert.deepStrictEqual(await store.unsealedAudit(10), rest);
        await sealAll(store, second);
        const others = { organizationId, entries: [entries[2], entries[4], entries[5]], lastSeal: second };
        assert.deepStrictEqual(await store.unsealedAudit(10), others);
        await sealAll(store, aSeal(organizationId, { number: 3, entryIds: ['b', '\uff5e', '\u{10400}'] }));
        assert.equal(await store.unsealedAudit(10), undefined);
      },
    },
    {
      name: 'organizations come one after another in code point order, those that have unsealed lines',
      emptyStore: true,
      async run({ store, organization }) {
        const names = ['B', 'a', 'b', '\u00e9', '\uff5e', '\u{10400}'].map((name) => organization(name));
        for (const name of names.toReversed()) await record(store, name, ['entry-1', 'entry-2']);
        const [, , third = ''] = names;
        await sealAll(store, aSeal(third, { entryIds: ['entry-1', 'entry-2'] }));
        const expected = names.filter((name) => name !== third);

        const visited: string[] = [];
        let next = await store.unsealedAudit(10);
        while (next !== undefined && visited.length < 10) {
          visited.push(next.organizationId);
          assert.deepEqual(next.entries, entriesOf(next.organizationId, ['entry-1', 'entry-2']));
          next = await store.unsealedAudit(10, next.organizationId);
        }
        assert.deepEqual(visited, expected);
        assert.equal((await store.unsealedAudit(1))?.organizationId, names[0]);
        assert.equal((await store.unsealedAudit(1, third))?.organizationId, names[3]);
        const { lastSeal } = (await store.unsealedAudit(1, names[1])) ?? {};
        assert.equal(lastSeal, undefined);
      },
    },
    {
      name: 'each organization has its own chain over its own lines',
      emptyStore: true,
      async run({ store, organizationId, organization }) {
        const other = organization('b');
        const mine = await record(store, organizationId, ['entry-1', 'entry-2']);
        const theirs = await record(store, other, ['entry-1', 'entry-3']);
        const seals = [
          aSeal(organizationId, { entryIds: ['entry-1', 'entry-2'], hash: 'mine' }),
          aSeal(other, { entryIds: ['entry-1'], hash: 'theirs' }),
        ] as const;
        await sealAll(store, ...seals);
        assert.deepStrictEqual(await store.listSeals(organizationId, 1, 10), [{ seal: seals[0], entries: mine }]);
        assert.deepStrictEqual(await store.listSeals(other, 1, 10), [{ seal: seals[1], entries: theirs.slice(0, 1) }]);
        assert.deepEqual(
          [await store.countUnsealedAudit(organizationId), await store.countUnsealedAudit(other)],
          [0, 1],
        );
        const expected = { organizationId: other, entries: theirs.slice(1), lastSeal: seals[1] };
        assert.deepStrictEqual(await store.unsealedAudit(10), expected);
      },
    },
    {
      name: 'seals come back in order and exactly, with their lines by id, from a number on and bounded',
      async run({ store, organizationId }) {
        const texts = awkwardTexts.map(([, text]) => text);
        const seals = texts.map((text, index) =>
          aSeal(organizationId, {
            number: index + 1,
            entryIds: [`a-${index}`, `b-${index}`],
            hash: text,
            sealedAt: fixtureStart + index,
          }),
        );
        const entries = await record(
          store,
          organizationId,
          seals.flatMap(({ entryIds }) => entryIds),
        );
        await sealAll(store, ...seals);
        const all = seals.map((seal, index) => ({ seal, entries: entries.slice(2 * index, 2 * index + 2) }));
        assert.deepStrictEqual(await store.listSeals(organizationId, 1, 100), all);
        assert.deepStrictEqual(await store.listSeals(organizationId, 3, 2), all.slice(2, 4));
        assert.deepStrictEqual(await store.listSeals(organizationId, all.length, 5), all.slice(-1));
        assert.deepStrictEqual(await store.listSeals(organizationId, all.length + 1, 5), []);
      },
    },
    {
      name: 'a seal whose number is taken, or leaves a gap, is refused and covers nothing',
      async run({ store, organizationId }) {
        await record(store, organizationId, ['entry-1', 'entry-2', 'entry-3']);
        assert.equal(await store.sealAudit(aSeal(organizationId, { number: 2 })), false);
        const first = aSeal(organizationId);
        await sealAll(store, first);
        for (const number of [1, 3]) {
          const refused = aSeal(organizationId, { number, entryIds: ['entry-2'], hash: 'refused' });
          assert.equal(await store.sealAudit(refused), false);
        }
        assert.equal(await store.countUnsealedAudit(organizationId), 2);
        assert.deepEqual(
          (await store.listSeals(organizationId, 1, 10)).map(({ seal }) => seal),
          [first],
        );
        await sealAll(store, aSeal(organizationId, { number: 2, entryIds: ['entry-2'] }));
      },
    },
    {
      name: 'a seal over a line that is sealed, twice named, foreign or unknown is refused and covers nothing',
      async run({ store, organizationId, organization }) {
        await record(store, organization('b'), ['foreign']);
        const entries = await record(store, organizationId, ['entry-1', 'entry-2', 'entry-3']);
        await sealAll(store, aSeal(organizationId));
        for (const entryIds of [
          ['entry-1'],
          ['entry-1', 'entry-2'],
          ['entry-2', 'entry-2'],
          ['entry-2', 'foreign'],
          ['entry-2', 'unknown'],
        ]) {
          assert.equal(await store.sealAudit(aSeal(organizationId, { number: 2, entryIds })), false);
        }
        assert.equal(await store.countUnsealedAudit(organizationId), 2);
        assert.equal(await store.countUnsealedAudit(organization('b')), 1);
        const second = aSeal(organizationId, { number: 2, entryIds: ['entry-2', 'entry-3'] });
        await sealAll(store, second);
        const [, sealed] = await store.listSeals(organizationId, 1, 10);
        assert.deepStrictEqual(sealed, { seal: second, entries: entries.slice(1) });
      },
    },
    {
      name: 'a seal leaves the record as it is, and lines that come later wait for another one',
      async run({ store, organizationId }) {
        const entries = await record(store, organizationId, ['entry-2', 'entry-3']);
        await sealAll(store, aSeal(organizationId, { entryIds: ['entry-2', 'entry-3'] }));
        assert.deepStrictEqual(await auditRecord(store, organizationId), entries);
        assert.equal(await store.countUnsealedAudit(organizationId), 0);
        // Its id comes first: seals go by what is unsealed, not by the highest id.
        await record(store, organizationId, ['entry-1']);
        assert.equal(await store.countUnsealedAudit(organizationId), 1);
        await sealAll(store, aSeal(organizationId, { number: 2, entryIds: ['entry-1'] }));
        assert.equal(await store.countUnsealedAudit(organizationId), 0);
      },
    },
    {
      name: 'organizations and lines that look alike are counted, sealed and listed apart',
      async run({ store, organization }) {
        const organizations = lookalikes(organization('o'));
        const ids = lookalikes('entry-');
        for (const each of organizations) {
          const audit = ids.map((id) => anEntry({ organizationId: each, id }));
          await commitAll(store, proving(each, { audit }));
        }
        for (const [index, each] of organizations.entries()) {
          const entryIds = [ids[index % ids.length] ?? ''];
          await sealAll(store, aSeal(each, { entryIds, hash: each }));
          assert.equal(await store.countUnsealedAudit(each), ids.length - 1);
          const [sealed, ...others] = await store.listSeals(each, 1, 10);
          assert.deepEqual(others, []);
          assert.equal(sealed?.seal.hash, each);
          assert.deepEqual(
            sealed.entries.map(({ organizationId, id }) => [organizationId, id]),
            [[each, ...entryIds]],
          );
        }
      },
    },
    {
      name: 'five hundred lines under one seal',
      async run({ store, organizationId }) {
        const ids = Array.from({ length: 500 }, (_, index) => `entry-${index}`.padEnd(36, 'x')).sort();
        await record(store, organizationId, ids);
        const seal = aSeal(organizationId, { entryIds: ids });
        await sealAll(store, seal);
        const [sealed] = await store.listSeals(organizationId, 1, 1);
        assert.deepStrictEqual(sealed?.seal, seal);
        assert.deepEqual(
          sealed.entries.map(({ id }) => id),
          ids,
        );
        assert.equal(await store.countUnsealedAudit(organizationId), 0);
      },
    },
    {
      name: 'what a caller does to an answer or to a seal that it gave changes nothing stored',
      emptyStore: true,
      async run({ store, organizationId }) {
        const entries = await record(store, organizationId, ['entry-1', 'entry-2']);
        const expected = aSeal(organizationId);
        const given = structuredClone(expected);
        await sealAll(store, given);
        spoil(given);
        spoil(await store.listSeals(organizationId, 1, 10));
        spoil(await store.unsealedAudit(10));
        const sealed = [{ seal: expected, entries: entries.slice(0, 1) }];
        assert.deepStrictEqual(await store.listSeals(organizationId, 1, 10), sealed);
        const unsealed = { organizationId, entries: entries.slice(1), lastSeal: expected };
        assert.deepStrictEqual(await store.unsealedAudit(10), unsealed);
      },
    },
  ],
};
