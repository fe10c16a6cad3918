import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, outcomes } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { aRequest, completing } from '../fixtures/requests.js';

const window = { from: fixtureStart, to: fixtureStart + hour };
const fifty = Array.from({ length: 50 }, (_, index) => index);

export const concurrencyGroup: ConformanceGroup = {
  name: 'concurrent commits are decided one by one',
  cases: [
    {
      name: 'fifty guarded inserts for one agent: one is committed, each other one is told of it',
      async run({ store, organizationId }) {
        const results = await Promise.all(
          fifty.map((index) =>
            store.commit(
              insertion(
                // Shifted by less than their length: each stands in the way of each.
                aScheduledAppointment({ organizationId, id: `at-${index}`, start: fixtureStart + index * minute }),
                { guard: { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + 2 * hour } } },
              ),
            ),
          ),
        );
        assert.deepEqual(outcomes(results), { committed: 1, slotConflict: 49 });
        const { items, total } = await store.listAppointments(listQuery(organizationId));
        assert.equal(total, 1);
        const conflicts = results.flatMap((result) => (result.status === 'slotConflict' ? result.appointmentIds : []));
        assert.deepEqual([...new Set(conflicts)], [items[0]?.id]);
      },
    },
    {
      name: 'fifty guarded inserts, each for two of five agents: no agent is booked twice',
      async run({ store, organizationId }) {
        await Promise.all(
          fifty.map((index) => {
            // Different orders of the same agents: locks taken in the order given would deadlock.
            const actorIds = [`agent-${index % 5}`, `agent-${(index * 3 + 1) % 5}`];
            const [organizerId = '', ...agentIds] = actorIds;
            const appointment = aScheduledAppointment({ organizationId, id: `at-${index}`, organizerId, agentIds });
            return store.commit(insertion(appointment, { guard: { actorIds, window } }));
          }),
        );
        const { items } = await store.listAppointments(listQuery(organizationId));
        const booked = items.flatMap(({ organizer, participants }) => [
          ...new Set([organizer.id, ...participants.filter(({ type }) => type === 'AGENT').map(({ id }) => id)]),
        ]);
        assert.ok(items.length > 0);
        assert.equal(new Set(booked).size, booked.length);
      },
    },
    {
      name: 'fifty guarded moves into one free hour: one is committed',
      async run({ store, organizationId }) {
        const appointments = fifty.map((index) =>
          aScheduledAppointment({ organizationId, id: `at-${index}`, start: fixtureStart + (index + 1) * hour }),
        );
        await Promise.all(appointments.map((appointment) => store.commit(insertion(appointment))));
        const results = await Promise.all(
          appointments.map((appointment) => {
            const schedule = { ...appointment.schedule, start: window.from, end: window.to };
            const guard = { actorIds: ['agent-1'], window };
            return store.commit(update(nextVersion(appointment, { schedule }), { guard }));
          }),
        );
        assert.deepEqual(outcomes(results), { committed: 1, slotConflict: 49 });
      },
    },
    {
      name: 'fifty updates of one version: one is committed, with its one event',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(first));
        const results = await Promise.all(
          fifty.map((index) => {
            const next = nextVersion(first, { title: `Title ${index}` });
            return store.commit(update(next, { events: [anEvent(next, { id: `e-${organizationId}-${index}` })] }));
          }),
        );
        assert.deepEqual(outcomes(results), { committed: 1, stale: 49 });
        const winner = results.findIndex(({ status }) => status === 'committed');
        const events = await store.listEvents({ organizationId, appointmentId: first.id });
        assert.deepEqual(
          events.map(({ id }) => id),
          [`e-${organizationId}-${winner}`],
        );
        const stored = await store.findAppointment(organizationId, first.id);
        assert.deepEqual([stored?.title, stored?.version], [`Title ${winner}`, 2]);
      },
    },
    {
      name: 'fifty inserts of one id: one is committed',
      async run({ store, organizationId }) {
        const results = await Promise.all(
          fifty.map((index) => store.commit(insertion(aScheduledAppointment({ organizationId, title: `${index}` })))),
        );
        assert.deepEqual(outcomes(results), { committed: 1, stale: 49 });
        const winner = results.findIndex(({ status }) => status === 'committed');
        assert.equal((await store.findAppointment(organizationId, 'appointment-1'))?.title, `${winner}`);
      },
    },
    {
      name: 'fifty removals and updates of one version: one is committed',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(first));
        const results = await Promise.all(
          fifty.map((index) => store.commit(index % 2 === 0 ? removal(first) : update(nextVersion(first)))),
        );
        assert.deepEqual(outcomes(results), { committed: 1, stale: 49 });
      },
    },
    {
      name: 'commits that are refused or fail take none down that was made at the same time',
      async run({ store, organizationId }) {
        const taken = aScheduledAppointment({ organizationId, id: 'taken' });
        const event = anEvent(taken);
        const answered = aRequest(organizationId);
        await commitAll(store, insertion(taken, { events: [event] }), completing(answered));
        const guard = { actorIds: ['agent-1'], window };
        const results = await Promise.allSettled(
          fifty.map((index) => {
            const next = aScheduledAppointment({ organizationId, id: `at-${index}`, organizerId: 'free' });
            const kinds = [
              insertion(next, { events: [anEvent(next)] }),
              insertion(taken),
              insertion(next, { guard }),
              insertion(next, { events: [event] }),
              insertion(next, { request: answered }),
            ];
            return store.commit(kinds[index % kinds.length] ?? insertion(next));
          }),
        );
        const told = results.map((result) =>
          result.status === 'rejected' ? String(Reflect.get(Object(result.reason), 'name')) : result.value.status,
        );
        const expected = ['committed', 'stale', 'slotConflict', 'StoreError', 'requestLost'];
        assert.deepEqual(
          told,
          fifty.map((index) => expected[index % expected.length]),
        );
        assert.equal((await store.listAppointments(listQuery(organizationId))).total, 11);
      },
    },
    {
      name: 'a list during commits is of one state: its items fit its total',
      async run({ store, organizationId }) {
        const committing = Promise.all(
          fifty.map((index) => store.commit(insertion(aScheduledAppointment({ organizationId, id: `at-${index}` })))),
        );
        const listing = Promise.all(fifty.slice(40).map(() => store.listAppointments(listQuery(organizationId))));
        const [results, lists] = await Promise.all([committing, listing]);
        for (const { items, total } of lists) assert.equal(items.length, total);
        assert.deepEqual(outcomes(results), { committed: 50 });
        assert.equal((await store.listAppointments(listQuery(organizationId))).total, 50);
      },
    },
  ],
};
