import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import { auditRecord, commitAll } from '../expectations.js';
import { aScheduledAppointment, fixtureStart } from '../fixtures/appointments.js';
import { anEntry, aRefusal, aSeal, auditQuery, refusedEntry } from '../fixtures/audit.js';
import { awkwardTexts } from '../fixtures/awkward-values.js';
import { insertion, removal } from '../fixtures/changes.js';
import { lookalikes } from '../fixtures/lookalikes.js';
import { spoil } from '../fixtures/spoil.js';

export const auditRefusalsGroup: ConformanceGroup = {
  name: 'refused calls are recorded for appointments that exist, and for no others',
  cases: [
    {
      name: 'a refusal takes organization and application from its appointment, whoever called',
      async run({ store, organizationId }) {
        await commitAll(store, insertion(aScheduledAppointment({ organizationId, applicationId: 'app-7' })));
        const refusals = [
          aRefusal({ organizationId }),
          aRefusal({
            organizationId,
            actor: { id: 'agent-2', type: 'AGENT', role: 'ROLE_AGENT' },
            proof: 'token',
            operation: 'cancel',
            outcome: 'forbidden',
          }),
          ...awkwardTexts.map(([, text]) => aRefusal({ organizationId, requestId: text })),
        ].map((refusal, index) => ({ ...refusal, id: `refusal-${index}`, at: fixtureStart - index }));
        await store.recordRefusals(refusals);
        const expected = refusals.map((refusal) => refusedEntry(refusal, organizationId, 'app-7'));
        assert.deepStrictEqual(await auditRecord(store, organizationId), expected);
      },
    },
    {
      name: 'a refusal without an organization is recorded with the appointment of that id',
      async run({ store, organizationId, organization }) {
        const id = `appointment-of-${organizationId}`;
        await commitAll(store, insertion(aScheduledAppointment({ organizationId, id })));
        const { organizationId: _, ...nobody } = aRefusal({ appointmentId: id });
        await store.recordRefusals([nobody, { ...nobody, id: 'refusal-2', organizationId: undefined }]);
        const expected = ['refusal-2', 'refusal-1'].map((each) =>
          refusedEntry({ ...nobody, id: each }, organizationId),
        );
        assert.deepStrictEqual(await auditRecord(store, organizationId, { appointmentId: id }), expected);
        assert.equal((await store.listAudit(auditQuery(organization('b')))).total, 0);
      },
    },
    {
      name: 'a refusal on no appointment stands in the record that it names, beside the others, and is sealed like them',
      async run({ store, organizationId, organization }) {
        await commitAll(store, insertion(aScheduledAppointment({ organizationId })));
        const tried = { organizationId, applicationId: 'app-7', appointmentId: undefined } as const;
        const refusals = [
          aRefusal({ ...tried, id: 'refusal-1', proof: 'otp', operation: 'scheduleAsCustomer' }),
          aRefusal({ organizationId, id: 'refusal-2' }),
          aRefusal({ ...tried, id: 'refusal-3', organizationId: undefined }),
          aRefusal({ ...tried, id: 'refusal-4', applicationId: undefined }),
        ];
        await store.recordRefusals(refusals);
        const found = await auditRecord(store, organizationId);
        assert.deepEqual(
          found.map(({ id, applicationId, appointmentId }) => [id, applicationId, appointmentId]),
          [
            ['refusal-2', 'app-1', 'appointment-1'],
            ['refusal-1', 'app-7', undefined],
          ],
        );
        assert.equal(await store.countUnsealedAudit(organizationId), 2);
        assert.ok(await store.sealAudit(aSeal(organizationId, { entryIds: ['refusal-1', 'refusal-2'] })));
        const [sealed] = await store.listSeals(organizationId, 1, 1);
        assert.deepEqual(sealed?.entries, [...found].reverse());
        assert.equal((await store.listAudit(auditQuery(organization('b')))).total, 0);
      },
    },
    {
      name: 'a refusal of an unknown or foreign appointment leaves nothing',
      async run({ store, organizationId, organization }) {
        const foreign = organization('foreign');
        await commitAll(store, insertion(aScheduledAppointment({ organizationId: foreign, id: `of-${foreign}` })));
        const { organizationId: _, ...nobody } = aRefusal({ id: 'refusal-2' });
        await store.recordRefusals([
          aRefusal({ organizationId, appointmentId: `of-${foreign}` }),
          aRefusal({ organizationId, id: 'refusal-3', appointmentId: 'unknown' }),
          { ...nobody, appointmentId: `never-of-${organizationId}` },
        ]);
        for (const each of [organizationId, foreign]) {
          assert.deepStrictEqual(await store.listAudit(auditQuery(each)), { items: [], total: 0 });
        }
      },
    },
    {
      name: 'known and unknown appointments in one call: those that exist get their lines',
      async run({ store, organizationId, organization }) {
        const other = organization('b');
        await commitAll(store, insertion(aScheduledAppointment({ organizationId })));
        await commitAll(store, insertion(aScheduledAppointment({ organizationId: other })));
        const mine = aRefusal({ organizationId });
        const theirs = aRefusal({ organizationId: other, requestId: 'theirs' });
        await store.recordRefusals([
          mine,
          aRefusal({ organizationId, id: 'refusal-2', appointmentId: 'unknown' }),
          theirs,
        ]);
        assert.deepStrictEqual(await auditRecord(store, organizationId), [refusedEntry(mine, organizationId)]);
        assert.deepStrictEqual(await auditRecord(store, other), [refusedEntry(theirs, other)]);
        await store.recordRefusals([]);
      },
    },
    {
      name: 'a removed appointment gets no further refusals and keeps those it has',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId, id: `removed-of-${organizationId}` });
        const { organizationId: _, ...nobody } = aRefusal({ id: 'refusal-3', appointmentId: appointment.id });
        const before = aRefusal({ organizationId, appointmentId: appointment.id });
        await commitAll(store, insertion(appointment));
        await store.recordRefusals([before]);
        await commitAll(store, removal(appointment));
        await store.recordRefusals([{ ...before, id: 'refusal-2' }, nobody]);
        assert.deepStrictEqual(await auditRecord(store, organizationId), [refusedEntry(before, organizationId)]);
      },
    },
    {
      name: 'ids of appointments that look alike stay apart, with an organization and without one',
      async run({ store, organizationId }) {
        const [known, ...unknown] = lookalikes(`of-${organizationId}-`) as [string, ...string[]];
        await commitAll(store, insertion(aScheduledAppointment({ organizationId, id: known })));
        await store.recordRefusals(
          [...unknown, known].flatMap((appointmentId, index) => {
            const { organizationId: _, ...nobody } = aRefusal({ id: `nobody-${index}`, appointmentId });
            return [aRefusal({ organizationId, id: `named-${index}`, appointmentId }), nobody];
          }),
        );
        const listed = await auditRecord(store, organizationId);
        assert.deepEqual(
          listed.map(({ id, appointmentId }) => [id, appointmentId]),
          [`nobody-${unknown.length}`, `named-${unknown.length}`].map((id) => [id, known]),
        );
      },
    },
    {
      name: 'refusals stand among the lines of commits and wait for a seal like them',
      async run({ store, organizationId }) {
        const entry = anEntry({ organizationId });
        await commitAll(store, insertion(aScheduledAppointment({ organizationId }), { audit: [entry] }));
        const refusal = aRefusal({ organizationId, at: fixtureStart + 1 });
        await store.recordRefusals([refusal]);
        const refused = refusedEntry(refusal, organizationId);
        assert.deepStrictEqual(await auditRecord(store, organizationId), [refused, entry]);
        assert.equal(await store.countUnsealedAudit(organizationId), 2);
      },
    },
    {
      name: 'one that stands already fails the whole call',
      async run({ store, organizationId }) {
        await commitAll(store, insertion(aScheduledAppointment({ organizationId })));
        const first = aRefusal({ organizationId });
        const second = aRefusal({ organizationId, id: 'refusal-2' });
        await store.recordRefusals([first]);
        await assert.rejects(store.recordRefusals([second, first]), { name: 'StoreError' });
        await assert.rejects(store.recordRefusals([second, second]), { name: 'StoreError' });
        assert.deepStrictEqual(await auditRecord(store, organizationId), [refusedEntry(first, organizationId)]);
        await store.recordRefusals([second]);
        assert.equal(await store.countUnsealedAudit(organizationId), 2);
      },
    },
    {
      name: 'what a caller does to what it recorded changes nothing stored',
      async run({ store, organizationId }) {
        await commitAll(store, insertion(aScheduledAppointment({ organizationId })));
        const actor = { id: 'agent-2', type: 'AGENT', role: 'ROLE_AGENT' } as const;
        const expected = aRefusal({ organizationId, actor, proof: 'token', outcome: 'forbidden' });
        const given = [structuredClone(expected)];
        await store.recordRefusals(given);
        spoil(given);
        assert.deepStrictEqual(await auditRecord(store, organizationId), [refusedEntry(expected, organizationId)]);
      },
    },
  ],
};
