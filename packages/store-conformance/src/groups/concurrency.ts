import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { commitAll, expect, outcomes } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { listQuery } from '../fixtures/list-query.js';
import { completing } from '../fixtures/requests.js';

const window = { from: fixtureStart, to: fixtureStart + hour };
const fifty = Array.from({ length: 50 }, (_, index) => index);

export const concurrencyGroup = group('concurrent commits are decided one by one', [
  { rule: 'one-by-one' },
  it('fifty guarded inserts for one agent: one is committed, each other one is told of it', async (store, a) => {
    const results = await Promise.all(
      fifty.map((index) =>
        store.commit(
          insertion(
            // Shifted by less than their length: each stands in the way of each.
            a.scheduled({ id: `at-${index}`, start: fixtureStart + index * minute }),
            { guard: { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + 2 * hour } } },
          ),
        ),
      ),
    );
    expect(outcomes(results)).toEqual({ committed: 1, slotConflict: 49 });
    const { items, total } = await store.appointments.list(a.listQuery());
    expect(total).toEqual(1);
    const conflicts = results.flatMap((result) => (result.status === 'slotConflict' ? result.appointmentIds : []));
    expect([...new Set(conflicts)]).toEqual([items[0]?.id]);
  }),
  it('fifty guarded inserts, each for two of five agents: no agent is booked twice', async (store, a) => {
    await Promise.all(
      fifty.map((index) => {
        // Different orders of the same agents: locks taken in the order given would deadlock.
        const actorIds = [`agent-${index % 5}`, `agent-${(index * 3 + 1) % 5}`];
        const [organizerId = '', ...agentIds] = actorIds;
        const appointment = a.scheduled({ id: `at-${index}`, organizerId, agentIds });
        return store.commit(insertion(appointment, { guard: { actorIds, window } }));
      }),
    );
    const { items } = await store.appointments.list(a.listQuery());
    const booked = items.flatMap(({ organizer, participants }) => [
      ...new Set([organizer.id, ...participants.filter(({ type }) => type === 'AGENT').map(({ id }) => id)]),
    ]);
    assert.ok(items.length > 0);
    expect(new Set(booked).size).toEqual(booked.length);
  }),
  it('fifty guarded moves into one free hour: one is committed', async (store, a) => {
    const appointments = fifty.map((index) =>
      a.scheduled({ id: `at-${index}`, start: fixtureStart + (index + 1) * hour }),
    );
    await Promise.all(appointments.map((appointment) => store.commit(insertion(appointment))));
    const results = await Promise.all(
      appointments.map((appointment) => {
        const schedule = { ...appointment.schedule, start: window.from, end: window.to };
        const guard = { actorIds: ['agent-1'], window };
        return store.commit(update(nextVersion(appointment, { schedule }), { guard }));
      }),
    );
    expect(outcomes(results)).toEqual({ committed: 1, slotConflict: 49 });
  }),
  it('fifty inserts of one id: one is committed', async (store, a, organizationId) => {
    const results = await Promise.all(
      fifty.map((index) => store.commit(insertion(a.scheduled({ title: `${index}` })))),
    );
    expect(outcomes(results)).toEqual({ committed: 1, stale: 49 });
    const winner = results.findIndex(({ status }) => status === 'committed');
    expect((await store.appointments.find(organizationId, 'appointment-1'))?.title).toEqual(`${winner}`);
  }),
  it('fifty removals and updates of one version: one is committed', async (store, a) => {
    const first = a.scheduled();
    await commitAll(store, insertion(first));
    const results = await Promise.all(
      fifty.map((index) => store.commit(index % 2 === 0 ? removal(first) : update(nextVersion(first)))),
    );
    expect(outcomes(results)).toEqual({ committed: 1, stale: 49 });
  }),
  { rule: 'one-by-one', level: 'events' },
  it('fifty updates of one version: one is committed, with its one event', async (store, a, organizationId) => {
    const first = a.scheduled();
    await commitAll(store, insertion(first));
    const results = await Promise.all(
      fifty.map((index) => {
        const next = nextVersion(first, { title: `Title ${index}` });
        return store.commit(update(next, { events: [a.event(next, { id: `e-${organizationId}-${index}` })] }));
      }),
    );
    expect(outcomes(results)).toEqual({ committed: 1, stale: 49 });
    const winner = results.findIndex(({ status }) => status === 'committed');
    const events = await store.events.list({ organizationId, appointmentId: first.id });
    expect(events.map(({ id }) => id)).toEqual([`e-${organizationId}-${winner}`]);
    const stored = await store.appointments.find(organizationId, first.id);
    expect([stored?.title, stored?.version]).toEqual([`Title ${winner}`, 2]);
  }),
  it('commits that are refused or fail take none down that was made at the same time', async (store, a) => {
    const taken = a.scheduled({ id: 'taken' });
    const event = a.event(taken);
    const answered = a.request();
    await commitAll(store, insertion(taken, { events: [event] }), completing(answered));
    const guard = { actorIds: ['agent-1'], window };
    const results = await Promise.allSettled(
      fifty.map((index) => {
        const next = a.scheduled({ id: `at-${index}`, organizerId: 'free' });
        const kinds = [
          insertion(next, { events: [a.event(next)] }),
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
    expect(told).toEqual(fifty.map((index) => expected[index % expected.length]));
    expect((await store.appointments.list(a.listQuery())).total).toEqual(11);
  }),
  { rule: 'pages' },
  it('a list during commits is of one state: its items fit its total', async (store, a) => {
    const committing = Promise.all(fifty.map((index) => store.commit(insertion(a.scheduled({ id: `at-${index}` })))));
    const listing = Promise.all(fifty.slice(40).map(() => store.appointments.list(a.listQuery())));
    const [results, lists] = await Promise.all([committing, listing]);
    for (const { items, total } of lists) expect(items.length).toEqual(total);
    expect(outcomes(results)).toEqual({ committed: 50 });
    expect((await store.appointments.list(a.listQuery())).total).toEqual(50);
  }),
]);
