import { type AvailabilityRecord, type AvailabilityStore, availabilityKinds } from '@calends/core/store';
import type { SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { availabilityOf, expect, spoil } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { deleting, recording } from '../fixtures/availability.js';
import { awkwardTexts, lookalikes, nestedMetadata } from '../fixtures/awkward-values.js';
import { commitAll } from '../steps.js';

type Query = Partial<Parameters<AvailabilityStore['listRecords']>[0]>;

/** All records of an organization, or those asked for. */
const recordsOf = (store: SchedulingStore, organizationId: string, query: Query = {}) =>
  availabilityOf(store).listRecords({ organizationId, kinds: availabilityKinds, ...query });

const keysOf = (records: readonly AvailabilityRecord[]): readonly string[] =>
  records.map(({ kind, scopeId, id }) => `${kind} ${scopeId} ${id}`);

export const availabilityRecordsGroup = group('services, hours and exceptions are kept as records', [
  { rule: 'round-trip' },
  it('a record comes back as it was written, whatever its document has', async (store, a, organizationId) => {
    const texts = Object.fromEntries(awkwardTexts.map(([kind, text]) => [kind, text]));
    const documents = [{}, nestedMetadata, texts, { long: '𝒟'.repeat(20_000) }];
    const records = documents.map((document, index) =>
      a.record({ id: `service-${index}`, document, updatedAt: index }),
    );
    await commitAll(store, a.change({ records: records.map(recording) }));
    expect(await recordsOf(store, organizationId)).toEqual(records);
  }),
  { rule: 'copies' },
  it('what a caller does to a record that was handed over or answered changes nothing stored', async (store, a, organizationId) => {
    const written = structuredClone(a.record({ document: { list: ['kept'] } }));
    await commitAll(store, a.change({ records: [recording(written)] }));
    spoil(written);
    spoil(await recordsOf(store, organizationId));
    expect(await recordsOf(store, organizationId)).toEqual([a.record({ document: { list: ['kept'] } })]);
  }),
  { rule: 'records' },
  it('a list is ordered by kind, scope and id, by code point', async (store, a, organizationId) => {
    const keys = [
      ['exception', 'anna', '2026-03-02'],
      ['exception', 'anna', '2026-12-24'],
      ['exception', 'Bert', '2026-01-01'],
      ['hours', 'B', ''],
      ['hours', 'a', ''],
      ['hours', '\ue000', ''],
      ['hours', '\u{10000}', ''],
      ['service', 'app-1', 'A'],
      ['service', 'app-1', 'a'],
      ['service', 'app-10', '1'],
      ['service', 'app-2', '0'],
    ] as const;
    const records = keys.map(([kind, scopeId, id]) => a.record({ kind, scopeId, id }));
    await commitAll(store, a.change({ records: records.toReversed().map(recording) }));
    const expected = keys.toSorted(([kind, scope, id], [other, otherScope, otherId]) =>
      Buffer.compare(Buffer.from(`${kind} ${scope} ${id}`), Buffer.from(`${other} ${otherScope} ${otherId}`)),
    );
    expect(keysOf(await recordsOf(store, organizationId))).toEqual(expected.map((key) => key.join(' ')));
  }),
  it('kinds, scopes and a range of ids narrow a list, and an empty filter lists nothing', async (store, a, organizationId) => {
    const records = [
      ...['2026-03-01', '2026-03-02', '2026-03-31'].map((id) => a.record({ kind: 'exception', scopeId: 'anna', id })),
      a.record({ kind: 'exception', scopeId: 'bert', id: '2026-03-02' }),
      a.record({ kind: 'hours', scopeId: 'anna', id: '' }),
      a.record({ kind: 'service', scopeId: 'anna', id: 'service-1' }),
    ];
    await commitAll(store, a.change({ records: records.map(recording) }));
    const [first, second, third, ofBert, hours] = records as [AvailabilityRecord, ...AvailabilityRecord[]];
    const asked: readonly (readonly [Query, readonly (AvailabilityRecord | undefined)[]])[] = [
      [{}, records],
      [{ kinds: [] }, []],
      [{ kinds: ['hours'] }, [hours]],
      [{ kinds: ['exception'] }, [first, second, third, ofBert]],
      [{ kinds: ['exception', 'hours'], scopeIds: ['anna'] }, [first, second, third, hours]],
      [{ scopeIds: [] }, []],
      [{ scopeIds: ['nobody'] }, []],
      [{ kinds: ['exception'], scopeIds: ['anna', 'bert'], fromId: '2026-03-02' }, [second, third, ofBert]],
      [{ kinds: ['exception'], scopeIds: ['anna'], untilId: '2026-03-02' }, [first, second]],
      [{ kinds: ['exception'], fromId: '2026-03-02', untilId: '2026-03-30' }, [second, ofBert]],
      [{ kinds: ['exception'], fromId: '2026-04-01' }, []],
    ];
    for (const [query, expected] of asked) {
      expect(await recordsOf(store, organizationId, query)).toEqual(expected, JSON.stringify(query));
    }
  }),
  it('a record is written where none is, changed and deleted from the version that was looked at', async (store, a, organizationId) => {
    const first = a.record();
    const second = a.record({ version: 2, document: { title: 'Changed' }, updatedAt: fixtureStart + 1 });
    const third = a.record({ version: 3 });
    await expect.stale(store, a.change({ records: [recording(second)] }));
    await expect.stale(store, a.change({ records: [deleting(first)] }));
    await commitAll(store, a.change({ records: [recording(first)] }));
    await expect.stale(store, a.change({ records: [recording(first)] }));
    await expect.stale(store, a.change({ records: [recording(third)] }));
    expect(await recordsOf(store, organizationId)).toEqual([first]);
    await commitAll(store, a.change({ records: [recording(second)] }));
    await expect.stale(store, a.change({ records: [deleting(first)] }));
    expect(await recordsOf(store, organizationId)).toEqual([second]);
    await commitAll(store, a.change({ records: [deleting(second)] }));
    expect(await recordsOf(store, organizationId)).toEqual([]);
    await commitAll(store, a.change({ records: [recording(first)] }));
    expect(await recordsOf(store, organizationId)).toEqual([first]);
  }),
  it('a version of a record may be as large as an entity tag names, and what was removed has no version', async (store, a, organizationId) => {
    const removed = a.record({ version: 2 ** 48 });
    const later = a.record({ version: 999_999_999_999_998 });
    const last = a.record({ version: 999_999_999_999_999 });
    await commitAll(
      store,
      a.change({ records: [{ ...recording(removed), expectedVersion: 0 }] }),
      a.change({ records: [deleting(removed)] }),
      a.change({ records: [{ ...recording(later), expectedVersion: 0 }] }),
    );
    await expect.stale(store, a.change({ records: [deleting(removed)] }));
    await expect.stale(store, a.change({ records: [{ ...recording(last), expectedVersion: removed.version }] }));
    await commitAll(store, a.change({ records: [recording(last)] }));
    expect(await recordsOf(store, organizationId)).toEqual([last]);
  }),
  it('of several records of a change all are written, or none', async (store, a, organizationId) => {
    const [kept, gone, fresh] = ['kept', 'gone', 'fresh'].map((id) => a.record({ id })) as [
      AvailabilityRecord,
      AvailabilityRecord,
      AvailabilityRecord,
    ];
    await commitAll(store, a.change({ records: [recording(kept), recording(gone)] }));
    const next = { ...kept, version: 2 };
    const others = [deleting(gone), recording(fresh)];
    await expect.stale(store, a.change({ records: [...others, recording({ ...kept, version: 3 })] }));
    await expect.stale(store, a.change({ records: [recording({ ...kept, version: 3 }), ...others] }));
    expect(await recordsOf(store, organizationId)).toEqual([gone, kept]);
    await commitAll(store, a.change({ records: [recording(next), ...others] }));
    expect(await recordsOf(store, organizationId)).toEqual([fresh, next]);
  }),
  { rule: 'organization-first' },
  it('a record of another organization is not there, and its key is free', async (store, a, organizationId) => {
    const foreign = a.of('owner').record({ version: 1, document: { title: 'Theirs' } });
    const own = a.record();
    await commitAll(store, a.of('owner').change({ records: [recording(foreign)] }));
    expect(await recordsOf(store, organizationId)).toEqual([]);
    await expect.stale(store, a.change({ records: [deleting(own)] }));
    await commitAll(store, a.change({ records: [recording(own)] }), a.change({ records: [deleting(own)] }));
    expect(await recordsOf(store, foreign.organizationId)).toEqual([foreign]);
  }),
  { rule: 'code-points' },
  it('organizations, scopes and ids of records that look alike are others', async (store, a) => {
    const organizations = lookalikes(a.of('o').organizationId);
    const records = organizations.flatMap((organizationId) =>
      lookalikes('s').flatMap((scopeId) => lookalikes('i').map((id) => a.record({ organizationId, scopeId, id }))),
    );
    for (const organizationId of organizations) {
      const own = records.filter((each) => each.organizationId === organizationId);
      await commitAll(store, { organizationId, events: [], records: own.map(recording) });
    }
    for (const organizationId of organizations) {
      for (const scopeId of lookalikes('s')) {
        const listed = await recordsOf(store, organizationId, { scopeIds: [scopeId] });
        expect(new Set(listed.map((each) => each.id))).toEqual(new Set(lookalikes('i')));
        expect(listed.every((each) => each.scopeId === scopeId)).toEqual(true);
      }
      const [id] = lookalikes('i');
      const listed = await recordsOf(store, organizationId, { fromId: id, untilId: id });
      expect(listed.map((each) => each.id)).toEqual(lookalikes('s').map(() => id));
    }
  }),
]);
