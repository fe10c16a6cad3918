import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { auditRecord, expect, spoil } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { refusedEntry } from '../fixtures/audit.js';
import { auditQuery } from '../fixtures/queries.js';
import { awkwardTexts, lookalikes } from '../fixtures/awkward-values.js';
import { insertion, removal } from '../fixtures/changes.js';
import { commitAll } from '../steps.js';

export const auditRefusalsGroup = group('refused calls are recorded for appointments that exist, and for no others', [
  { rule: 'refusals' },
  it('a refusal takes organization and application from its appointment, whoever called', async (store, a, organizationId) => {
    await commitAll(store, insertion(a.scheduled({ applicationId: 'app-7' })));
    const refusals = [
      a.refusal(),
      a.refusal({
        actor: { id: 'agent-2', type: 'AGENT', role: 'ROLE_AGENT' },
        proof: 'token',
        operation: 'cancel',
        outcome: 'forbidden',
      }),
      // What a call names is for those on no appointment.
      a.refusal({ applicationId: 'app-9' }),
      ...awkwardTexts.map(([, text]) => a.refusal({ requestId: text })),
    ].map((refusal, index) => ({ ...refusal, id: `refusal-${index}`, at: fixtureStart - index }));
    await store.audit.recordRefusals(refusals);
    const expected = refusals.map((refusal) => refusedEntry(refusal, organizationId, 'app-7'));
    expect(await auditRecord(store, organizationId)).toEqual(expected);
  }),
  it('a refusal without an organization is recorded with the appointment of that id', async (store, a, organizationId) => {
    const id = `appointment-of-${organizationId}`;
    await commitAll(store, insertion(a.scheduled({ id })));
    const { organizationId: _, ...nobody } = a.refusal({ appointmentId: id });
    await store.audit.recordRefusals([nobody, { ...nobody, id: 'refusal-2', organizationId: undefined }]);
    const expected = ['refusal-2', 'refusal-1'].map((each) => refusedEntry({ ...nobody, id: each }, organizationId));
    expect(await auditRecord(store, organizationId, { appointmentId: id })).toEqual(expected);
    expect((await store.audit.list(a.of('b').auditQuery())).total).toEqual(0);
  }),
  it('a refusal on no appointment stands in the record that it names, beside the others, and is sealed like them', async (store, a, organizationId) => {
    await commitAll(store, insertion(a.scheduled()));
    const tried = { organizationId, applicationId: 'app-7', appointmentId: undefined } as const;
    const named = a.refusal({ ...tried, id: 'refusal-1', proof: 'otp', operation: 'scheduleAsCustomer' });
    const beside = a.refusal({ id: 'refusal-2' });
    const refusals = [
      named,
      beside,
      a.refusal({ ...tried, id: 'refusal-3', organizationId: undefined }),
      a.refusal({ ...tried, id: 'refusal-4', applicationId: undefined }),
    ];
    await store.audit.recordRefusals(refusals);
    const found = await auditRecord(store, organizationId);
    const { appointmentId: _, ...line } = refusedEntry(named, organizationId, 'app-7');
    expect(found).toEqual([refusedEntry(beside, organizationId), line]);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(2);
    assert.ok(await store.audit.seal(a.seal({ entryIds: ['refusal-1', 'refusal-2'] })));
    const [sealed] = await store.audit.listSeals(organizationId, 1, 1);
    expect(sealed?.entries).toEqual([...found].reverse());
    expect((await store.audit.list(a.of('b').auditQuery())).total).toEqual(0);
  }),
  it('a refusal of an unknown or foreign appointment leaves nothing', async (store, a, organizationId) => {
    const foreign = a.of('foreign').organizationId;
    await commitAll(store, insertion(a.scheduled({ organizationId: foreign, id: `of-${foreign}` })));
    const { organizationId: _, ...nobody } = a.refusal({ id: 'refusal-2' });
    await store.audit.recordRefusals([
      a.refusal({ appointmentId: `of-${foreign}` }),
      a.refusal({ id: 'refusal-3', appointmentId: 'unknown' }),
      { ...nobody, appointmentId: `never-of-${organizationId}` },
    ]);
    for (const each of [organizationId, foreign]) {
      expect(await store.audit.list(auditQuery(each))).toEqual({ items: [], total: 0 });
    }
  }),
  it('known and unknown appointments in one call: those that exist get their lines', async (store, a, organizationId) => {
    const other = a.of('b').organizationId;
    await commitAll(store, insertion(a.scheduled()));
    await commitAll(store, insertion(a.scheduled({ organizationId: other })));
    const mine = a.refusal();
    const theirs = a.refusal({ organizationId: other, requestId: 'theirs' });
    await store.audit.recordRefusals([mine, a.refusal({ id: 'refusal-2', appointmentId: 'unknown' }), theirs]);
    expect(await auditRecord(store, organizationId)).toEqual([refusedEntry(mine, organizationId)]);
    expect(await auditRecord(store, other)).toEqual([refusedEntry(theirs, other)]);
    await store.audit.recordRefusals([]);
  }),
  it('a removed appointment gets no further refusals and keeps those it has', async (store, a, organizationId) => {
    const appointment = a.scheduled({ id: `removed-of-${organizationId}` });
    const { organizationId: _, ...nobody } = a.refusal({ id: 'refusal-3', appointmentId: appointment.id });
    const before = a.refusal({ appointmentId: appointment.id });
    await commitAll(store, insertion(appointment));
    await store.audit.recordRefusals([before]);
    await commitAll(store, removal(appointment));
    await store.audit.recordRefusals([{ ...before, id: 'refusal-2' }, nobody]);
    expect(await auditRecord(store, organizationId)).toEqual([refusedEntry(before, organizationId)]);
  }),
  it('refusals stand among the lines of commits and wait for a seal like them', async (store, a, organizationId) => {
    const entry = a.entry();
    await commitAll(store, insertion(a.scheduled(), { audit: [entry] }));
    const refusal = a.refusal({ at: fixtureStart + 1 });
    await store.audit.recordRefusals([refusal]);
    const refused = refusedEntry(refusal, organizationId);
    expect(await auditRecord(store, organizationId)).toEqual([refused, entry]);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(2);
  }),
  { rule: 'code-points' },
  it('ids of appointments that look alike stay apart, with an organization and without one', async (store, a, organizationId) => {
    const [known, ...unknown] = lookalikes(`of-${organizationId}-`) as [string, ...string[]];
    await commitAll(store, insertion(a.scheduled({ id: known })));
    await store.audit.recordRefusals(
      [...unknown, known].flatMap((appointmentId, index) => {
        const { organizationId: _, ...nobody } = a.refusal({ id: `nobody-${index}`, appointmentId });
        return [a.refusal({ id: `named-${index}`, appointmentId }), nobody];
      }),
    );
    const listed = await auditRecord(store, organizationId);
    expect(listed.map(({ id, appointmentId }) => [id, appointmentId])).toEqual(
      [`nobody-${unknown.length}`, `named-${unknown.length}`].map((id) => [id, known]),
    );
  }),
  { rule: 'all-or-nothing' },
  it('a line that stands already fails the whole call', async (store, a, organizationId) => {
    await commitAll(store, insertion(a.scheduled()));
    const first = a.refusal();
    const second = a.refusal({ id: 'refusal-2' });
    await store.audit.recordRefusals([first]);
    await assert.rejects(store.audit.recordRefusals([second, first]), { name: 'StoreError' });
    await assert.rejects(store.audit.recordRefusals([second, second]), { name: 'StoreError' });
    expect(await auditRecord(store, organizationId)).toEqual([refusedEntry(first, organizationId)]);
    await store.audit.recordRefusals([second]);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(2);
  }),
  { rule: 'copies' },
  it('what a caller does to what it recorded changes nothing stored', async (store, a, organizationId) => {
    await commitAll(store, insertion(a.scheduled()));
    const actor = { id: 'agent-2', type: 'AGENT', role: 'ROLE_AGENT' } as const;
    const expected = a.refusal({ actor, proof: 'token', outcome: 'forbidden' });
    const given = [structuredClone(expected)];
    await store.audit.recordRefusals(given);
    spoil(given);
    expect(await auditRecord(store, organizationId)).toEqual([refusedEntry(expected, organizationId)]);
  }),
]);
