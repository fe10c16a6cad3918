import type { AuditSeal, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { auditRecord, expect, retentionOf } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import type { Words } from '../fixtures/words.js';
import { commitAll } from '../steps.js';

/** Three seals over two entries each, and one entry that waits for its seal. */
async function sealed(store: SchedulingStore, a: Words): Promise<readonly AuditSeal[]> {
  const ids = ['1', '2', '3', '4', '5', '6', '7'].map((number) => `entry-${number}`);
  await commitAll(store, a.change({ audit: ids.map((id, index) => a.entry({ id, at: fixtureStart + index })) }));
  const seals = [1, 2, 3].map((number) =>
    a.seal({ number, entryIds: ids.slice(2 * number - 2, 2 * number), hash: `hash-${number}` }),
  );
  for (const seal of seals) expect(await store.audit.seal(seal)).toEqual(true);
  return seals;
}

const idsOf = async (store: SchedulingStore, organizationId: string): Promise<readonly string[]> =>
  (await auditRecord(store, organizationId)).map(({ id }) => id);

export const auditTrimmingGroup = group('the audit record is removed from its beginning', [
  { rule: 'trimming', emptyStore: true },
  it('the entries up to a seal go, and the seals before it; it stays as the anchor', async (store, a, organizationId) => {
    const [, second, third] = await sealed(store, a);
    expect(await retentionOf(store).trimAudit({ organizationId, upTo: 2, anchor: 'anchor-2' })).toEqual(true);
    const seals = await store.audit.listSeals(organizationId, 1, 10);
    expect(seals.map(({ seal }) => seal)).toEqual([{ ...second, entryIds: [], anchor: 'anchor-2' }, third]);
    expect(seals.map(({ entries }) => entries.length)).toEqual([0, 2]);
    for (const appointmentId of [undefined, 'appointment-1']) {
      const ids = (await auditRecord(store, organizationId, { appointmentId })).map(({ id }) => id);
      expect(ids.toSorted()).toEqual(['entry-5', 'entry-6', 'entry-7']);
    }
    expect(await store.audit.countUnsealed(organizationId)).toEqual(1);
  }),
  it('the chain goes on behind its anchor, also where all that was sealed is gone', async (store, a, organizationId) => {
    const seals = await sealed(store, a);
    expect(await retentionOf(store).trimAudit({ organizationId, upTo: 3, anchor: 'anchor' })).toEqual(true);
    const anchor = { ...seals[2], entryIds: [], anchor: 'anchor' };
    expect((await store.audit.unsealed(10))?.lastSeal).toEqual(anchor);
    expect(await store.audit.seal(a.seal({ number: 3, entryIds: ['entry-7'] }))).toEqual(false);
    const next = a.seal({ number: 4, entryIds: ['entry-7'], hash: 'hash-4' });
    expect(await store.audit.seal(next)).toEqual(true);
    expect((await store.audit.listSeals(organizationId, 1, 10)).map(({ seal }) => seal)).toEqual([anchor, next]);
    expect(await retentionOf(store).trimAudit({ organizationId, upTo: 4, anchor: 'anchor-4' })).toEqual(true);
    expect(await idsOf(store, organizationId)).toEqual([]);
  }),
  it('a seal that is not there, or is the anchor already, ends nothing', async (store, a, organizationId) => {
    await sealed(store, a);
    const trim = (upTo: number) => retentionOf(store).trimAudit({ organizationId, upTo, anchor: `anchor-${upTo}` });
    expect([await trim(4), await trim(2), await trim(2), await trim(1)]).toEqual([false, true, false, false]);
    expect((await idsOf(store, organizationId)).length).toEqual(3);
  }),
  it('of each organization its own entries go', async (store, a, organizationId) => {
    const b = a.of('b');
    for (const each of [a, b]) await sealed(store, each);
    await retentionOf(store).trimAudit({ organizationId, upTo: 3, anchor: 'anchor' });
    expect((await idsOf(store, organizationId)).length).toEqual(1);
    expect((await idsOf(store, b.organizationId)).length).toEqual(7);
  }),
  it('the first seal without an anchor comes organization by organization, in code point order', async (store, a) => {
    const all = ['B', 'a', 'b', '\u00e9'].map((name) => a.of(name));
    for (const each of all.toReversed()) await sealed(store, each);
    const [first = '', second = '', , last = ''] = all.map(({ organizationId }) => organizationId);
    await retentionOf(store).trimAudit({ organizationId: first, upTo: 1, anchor: 'anchor' });
    await retentionOf(store).trimAudit({ organizationId: second, upTo: 3, anchor: 'anchor' });
    const found: (readonly [string, number])[] = [];
    for (let after: string | undefined; ;) {
      const seal = await retentionOf(store).nextSealed(after);
      if (seal === undefined) break;
      found.push([seal.organizationId.slice(a.organizationId.length), seal.number]);
      after = seal.organizationId;
      expect(found.length < 1000).toEqual(true, 'a walk comes to an end');
    }
    expect(found).toEqual([
      ['-B', 2],
      ['-b', 1],
      ['-\u00e9', 1],
    ]);
    expect(await retentionOf(store).nextSealed(last)).toEqual(undefined);
  }),
]);
