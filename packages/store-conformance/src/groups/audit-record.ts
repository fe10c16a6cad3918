import assert from 'node:assert/strict';
import { type AuditEntry, auditProofs } from '@calends/core/store';
import { awkwardTexts, longText } from '../fixtures/awkward-values.js';
import { auditedOperations } from '@calends/core/operations';
import { errorCodes } from '@calends/core';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { auditRecord, expect, spoil } from '../expectations.js';
import { fixtureStart, lastInstant, minute } from '../fixtures/appointments.js';
import { auditQuery } from '../fixtures/queries.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { commitAll, numbers } from '../steps.js';

const recording = (a: Words, ...audit: readonly AuditEntry[]) => a.change({ audit });

/** Entries that differ in the instant, latest first. */
const entriesAt = (a: Words, instants: readonly number[]): readonly AuditEntry[] =>
  instants.toReversed().map((at) => a.entry({ id: `entry-${at - fixtureStart}`, at }));

export const auditRecordGroup = group('the audit record keeps every line of every commit', [
  { rule: 'round-trip' },
  it('every field of a line comes back exactly, absent actors, states and versions too', async (store, a, organizationId) => {
    const refused = { from: null, to: null, version: null };
    const entries = [
      ...auditedOperations.map((operation) => a.entry({ operation, from: 'SCHEDULED', to: 'ACTIVATED', version: 7 })),
      ...auditProofs.map((proof) => a.entry({ proof })),
      ...errorCodes.map((outcome) => a.entry({ ...refused, outcome })),
      a.entry({ operation: 'remove', from: 'ABORTED', to: null, version: 2_147_483_647 }),
      a.entry({ operation: 'get', ...refused }),
      a.entry({ actor: null, proof: 'none', ...refused, outcome: 'unauthenticated' }),
      a.entry({ actor: { id: 'calends', type: 'SYSTEM', role: 'SYSTEM' }, operation: 'automatic' }),
      a.entry({ actor: { id: 'customer-1', type: 'CUSTOMER', role: 'ROLE_CUSTOMER' }, proof: 'otp' }),
      a.entry({ at: 0 }),
      a.entry({ at: lastInstant, applicationId: 'app-2', appointmentId: 'appointment-2' }),
      ...awkwardTexts.map(([, text]) =>
        a.entry({ requestId: text, actor: { id: text, type: 'AGENT', role: 'ROLE_SUPERVISOR' } }),
      ),
      a.entry({ requestId: longText }),
    ].map((entry, index) => ({ ...entry, organizationId, id: `entry-${index}` }));
    await commitAll(store, recording(a, ...entries));
    const listed = new Map((await auditRecord(store, organizationId)).map((entry) => [entry.id, entry]));
    expect(listed.size).toEqual(entries.length);
    for (const entry of entries) expect(listed.get(entry.id)).toEqual(entry);
  }),
  { rule: 'pages' },
  it('lines come latest first, and by id in the same direction where the time is the same, by code point', async (store, a, organizationId) => {
    const at = fixtureStart + 5;
    const ids = ['b', 'a', '\u{10400}', 'B', '\uff5e', '\u00e9', 'e'];
    const sameTime = ids.map((id) => a.entry({ id, at }));
    const later = a.entry({ id: '0', at: at + 1 });
    const earlier = a.entry({ id: 'z', at: at - 1 });
    await commitAll(store, recording(a, ...sameTime, later), recording(a, earlier));
    const listed = (await auditRecord(store, organizationId)).map(({ id }) => id);
    expect(listed).toEqual(['0', '\u{10400}', '\uff5e', '\u00e9', 'e', 'b', 'a', 'B', 'z']);
  }),
  it('pages follow each other without gaps, and each has the total, also one past the end', async (store, a) => {
    const instants = numbers(7).map((step) => fixtureStart + step);
    const entries = entriesAt(a, instants);
    const elsewhere = a.entry({ id: 'elsewhere', appointmentId: 'a-2', at: fixtureStart + minute });
    await commitAll(store, recording(a, ...entries, elsewhere));
    const query = a.auditQuery({ appointmentId: 'appointment-1', pageSize: 3 });
    for (const [index, expected] of [entries.slice(0, 3), entries.slice(3, 6), entries.slice(6), []].entries()) {
      const page = await store.audit.list({ ...query, pageNumber: index + 1 });
      expect(page).toEqual({ items: expected, total: 7 });
    }
    const far = await store.audit.list({ ...query, pageNumber: 1_000_000 });
    expect(far).toEqual({ items: [], total: 7 });
    expect(await store.audit.list(a.auditQuery({ pageSize: 1 }))).toEqual({ items: [elsewhere], total: 8 });
  }),
  { rule: 'record' },
  it('windows are half-open (from ≤ at < to), and an open side is open', async (store, a, organizationId) => {
    const instants = [0, 1, 2, 3, 4].map((step) => fixtureStart + step);
    const entries = entriesAt(a, instants);
    await commitAll(store, recording(a, ...entries));
    const windows: readonly (readonly [window: { from?: number; to?: number }, steps: readonly number[]])[] = [
      [{}, [4, 3, 2, 1, 0]],
      [{ from: fixtureStart + 1, to: fixtureStart + 3 }, [2, 1]],
      [{ from: fixtureStart + 3 }, [4, 3]],
      [{ to: fixtureStart + 1 }, [0]],
      [{ from: fixtureStart + 2, to: fixtureStart + 2 }, []],
      [{ from: fixtureStart + 3, to: fixtureStart + 1 }, []],
      [{ from: fixtureStart + 5 }, []],
      [{ to: fixtureStart }, []],
    ];
    for (const [window, steps] of windows) {
      const expected = steps.map((step) => a.entry({ id: `entry-${step}`, at: fixtureStart + step }));
      expect(await auditRecord(store, organizationId, window)).toEqual(expected);
    }
  }),
  it('the record of one appointment, in a window too', async (store, a, organizationId) => {
    const entries = [0, 1, 2, 3, 4, 5].map((step) =>
      a.entry({ id: `entry-${step}`, at: fixtureStart + step, appointmentId: `a-${step % 2}` }),
    );
    await commitAll(store, recording(a, ...entries));
    const idsOf = async (overrides: Partial<ReturnType<typeof auditQuery>>) =>
      (await auditRecord(store, organizationId, overrides)).map(({ id }) => id);
    expect(await idsOf({ appointmentId: 'a-0' })).toEqual(['entry-4', 'entry-2', 'entry-0']);
    expect(await idsOf({ appointmentId: 'a-1', from: fixtureStart + 2 })).toEqual(['entry-5', 'entry-3']);
    const window = { from: fixtureStart + 1, to: fixtureStart + 3 };
    expect(await idsOf({ appointmentId: 'a-1', ...window })).toEqual(['entry-1']);
    expect(await idsOf({ appointmentId: 'unknown' })).toEqual([]);
  }),
  it('a removed appointment keeps its record, and one that takes its id has it before its own', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const second = nextVersion(appointment);
    const line = (step: number) => a.entry({ id: `entry-${step}`, at: fixtureStart + step });
    await commitAll(
      store,
      insertion(appointment, { audit: [line(1)] }),
      update(second, { audit: [line(2)] }),
      removal(second, { audit: [line(3)] }),
    );
    const { id: appointmentId } = appointment;
    expect(await auditRecord(store, organizationId, { appointmentId })).toEqual([line(3), line(2), line(1)]);
    await commitAll(store, insertion(appointment, { audit: [line(4)] }));
    const ids = (await auditRecord(store, organizationId, { appointmentId })).map(({ id }) => id);
    expect(ids).toEqual(['entry-4', 'entry-3', 'entry-2', 'entry-1']);
  }),
  { rule: 'organization-first' },
  it('the same ids in two organizations are two lines, and neither sees the other', async (store, a, organizationId) => {
    const b = a.of('b');
    const other = b.organizationId;
    const [mine, theirs] = [a.entry(), b.entry({ requestId: 'theirs' })];
    await commitAll(store, recording(a, mine));
    expect(await store.audit.list(auditQuery(other))).toEqual({ items: [], total: 0 });
    await commitAll(store, recording(b, theirs));
    expect(await auditRecord(store, organizationId)).toEqual([mine]);
    expect(await auditRecord(store, other, { appointmentId: mine.appointmentId })).toEqual([theirs]);
  }),
  { rule: 'all-or-nothing' },
  it('a line that stands already fails the whole commit, and the store goes on working', async (store, a, organizationId) => {
    const entry = a.entry();
    const further = a.entry({ id: 'entry-2', at: fixtureStart + 1 });
    await commitAll(store, recording(a, entry));
    const booking = insertion(a.scheduled(), { audit: [further, entry] });
    await assert.rejects(store.commit(booking), { name: 'StoreError' });
    expect(await store.appointments.find(organizationId, 'appointment-1')).toEqual(undefined);
    expect(await auditRecord(store, organizationId)).toEqual([entry]);
    await commitAll(store, { ...booking, audit: [further] });
    expect(await auditRecord(store, organizationId)).toEqual([further, entry]);
  }),
  { rule: 'copies' },
  it('what a caller does to an answer or to what it committed changes nothing stored', async (store, a, organizationId) => {
    const expected = a.entry();
    const given = structuredClone(expected);
    await commitAll(store, recording(a, given));
    spoil(given);
    spoil(await store.audit.list(a.auditQuery()));
    expect(await auditRecord(store, organizationId)).toEqual([expected]);
  }),
]);
