import assert from 'node:assert/strict';
import type { Change } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { completing } from '../fixtures/requests.js';
import { atOnce, commitAll, inserted, numbers, outcomes, race } from '../steps.js';

const window = { from: fixtureStart, to: fixtureStart + hour };
const guard = { actorIds: ['agent-1'], window };

export const concurrencyGroup = group('concurrent commits are decided one by one', [
  { rule: 'one-by-one' },
  it('fifty guarded inserts for one agent: one is committed, each other one is told of it', async (store, a) => {
    const wide = { ...guard, window: { from: fixtureStart, to: fixtureStart + 2 * hour } };
    const results = await atOnce(50, (index) => {
      // Shifted by less than their length: each stands in the way of each.
      const next = a.scheduled({ id: `at-${index}`, start: fixtureStart + index * minute });
      return store.commit(insertion(next, { guard: wide }));
    });
    expect(outcomes(results)).toEqual({ committed: 1, slotConflict: 49 });
    const { items, total } = await store.appointments.list(a.listQuery());
    expect(total).toEqual(1);
    const conflicts = results.flatMap((result) => (result.status === 'slotConflict' ? result.appointmentIds : []));
    expect([...new Set(conflicts)]).toEqual([items[0]?.id]);
  }),
  it('fifty guarded inserts, each for two of five agents: no agent is booked twice', async (store, a) => {
    await atOnce(50, (index) => {
      // Different orders of the same agents: locks taken in the order given would deadlock.
      const actorIds = [`agent-${index % 5}`, `agent-${(index * 3 + 1) % 5}`];
      const [organizerId = '', ...agentIds] = actorIds;
      const appointment = a.scheduled({ id: `at-${index}`, organizerId, agentIds });
      return store.commit(insertion(appointment, { guard: { actorIds, window } }));
    });
    const { items } = await store.appointments.list(a.listQuery());
    const booked = items.flatMap(({ organizer, participants }) => [
      ...new Set([organizer.id, ...participants.filter(({ type }) => type === 'AGENT').map(({ id }) => id)]),
    ]);
    assert.ok(items.length > 0);
    expect(new Set(booked).size).toEqual(booked.length);
  }),
  it('fifty guarded moves into one free hour: one is committed', async (store, a) => {
    const appointments = await atOnce(50, (index) =>
      inserted(store, a.scheduled({ id: `at-${index}`, start: fixtureStart + (index + 1) * hour })),
    );
    const moves = appointments.map((each) =>
      update(nextVersion(each, { schedule: { ...each.schedule, start: window.from, end: window.to } }), { guard }),
    );
    await race(50, 'slotConflict', (index) => moves[index] as Change, store);
  }),
  it('fifty inserts of one id: one is committed', async (store, a, organizationId) => {
    const winner = await race(50, 'stale', (index) => insertion(a.scheduled({ title: `${index}` })), store);
    expect((await store.appointments.find(organizationId, 'appointment-1'))?.title).toEqual(`${winner}`);
  }),
  it('fifty removals and updates of one version: one is committed', async (store, a) => {
    const first = await inserted(store, a.scheduled());
    await race(50, 'stale', (index) => (index % 2 === 0 ? removal(first) : update(nextVersion(first))), store);
  }),
  { rule: 'one-by-one', level: 'events' },
  it('fifty updates of one version: one is committed, with its one event', async (store, a, organizationId) => {
    const first = await inserted(store, a.scheduled());
    const updating = (index: number) => {
      const next = nextVersion(first, { title: `Title ${index}` });
      return update(next, { events: [a.event(next, { id: `e-${organizationId}-${index}` })] });
    };
    const winner = await race(50, 'stale', updating, store);
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
    const results = await Promise.allSettled(
      numbers(50).map((index) => {
        const next = a.scheduled({ id: `at-${index}`, organizerId: 'free' });
        const kinds = [
          a.creation(next),
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
    expect(told).toEqual(told.map((_, index) => expected[index % expected.length]));
    expect((await store.appointments.list(a.listQuery())).total).toEqual(11);
  }),
  { rule: 'pages' },
  it('a list during commits is of one state: its items fit its total', async (store, a) => {
    const committing = atOnce(50, (index) => store.commit(insertion(a.scheduled({ id: `at-${index}` }))));
    const listing = atOnce(10, () => store.appointments.list(a.listQuery()));
    const [results, lists] = await Promise.all([committing, listing]);
    for (const { items, total } of lists) expect(items.length).toEqual(total);
    expect(outcomes(results)).toEqual({ committed: 50 });
    expect((await store.appointments.list(a.listQuery())).total).toEqual(50);
  }),
]);
