import assert from 'node:assert/strict';
import type { Change, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { aProfile, aScheduledAppointment, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/queries.js';
import { aRequest, keyOf } from '../fixtures/requests.js';
import { commitAll, inserted } from '../steps.js';

const other = 'app-other';
const lateFault = { name: 'StoreError', code: 'unavailable', outcome: 'none' };

/** Commits a change that carries something of every kind, expects a refusal, and that nothing of it was written. */
async function expectNothingWritten(store: SchedulingStore, change: Change, status: string): Promise<void> {
  const { organizationId } = change;
  const bystander = aScheduledAppointment({ organizationId, id: 'bystander' });
  await commitAll(store, insertion(bystander, { customers: [aProfile(bystander)] }));
  const request = aRequest(organizationId, { key: 'all-or-nothing', answer: '"never"' });
  const before = await store.appointments.list(listQuery(organizationId));

  const result = await store.commit({
    ...change,
    customers: [aProfile(bystander, { firstName: 'Changed' }), aProfile(bystander, { participantId: 'added' })],
    events: [anEvent(bystander, { id: `never-${organizationId}` })],
    request,
  });

  expect(result.status).toEqual(status);
  expect(await store.appointments.list(listQuery(organizationId))).toEqual(before);
  expect(await store.customers.find(organizationId, 'bystander', 'customer-1')).toEqual(aProfile(bystander));
  expect(await store.customers.find(organizationId, 'bystander', 'added')).toEqual(undefined);
  expect(await store.events.list({ organizationId, appointmentId: 'bystander' })).toEqual([]);
  expect(await store.requests.find(keyOf(request), request.at)).toEqual(undefined);
}

export const writingGroup = group('a commit is written whole or not at all', [
  { rule: 'last-look' },
  it('a commit whose call has waited too long never begins, and takes none of those beside it along', async (store, a, organizationId) => {
    const ids = ['late-1', 'in-time-1', 'late-2', 'in-time-2'];
    const isLate = (id: string): boolean => id.startsWith('late');
    const guard = { actorIds: ['agent-1'], window: { from: 0, to: 1 } };
    const commits = ids.map((id, index) => {
      const change = insertion(a.scheduled({ id }), index < 2 ? {} : { guard });
      return store.commit(change, isLate(id) ? { signal: AbortSignal.abort() } : {});
    });
    for (const [index, outcome] of (await Promise.allSettled(commits)).entries()) {
      const id = ids[index] ?? '';
      if (!isLate(id)) expect(outcome).toEqual({ status: 'fulfilled', value: { status: 'committed' } });
      else await assert.rejects(Promise.resolve(commits[index]), lateFault);
      expect((await store.appointments.find(organizationId, id)) === undefined).toEqual(isLate(id));
    }
  }),
  { rule: 'versions' },
  it('an update replaces the appointment, its place in lists and its actors', async (store, a, organizationId) => {
    const first = a.scheduled({ organizerId: 'a', agentIds: ['b', 'c'] });
    const moved = a.scheduled({ organizerId: 'd', agentIds: ['c'], applicationId: other });
    await commitAll(store, insertion(first), update({ ...moved, version: 2 }, { before: first }));
    for (const [agentId, total] of Object.entries({ a: 0, b: 0, c: 1, d: 1 })) {
      expect((await store.appointments.list(a.listQuery({ agentIds: [agentId] }))).total).toEqual(total);
    }
    const inOld = await store.appointments.list(a.listQuery({ applicationIds: ['app-1'] }));
    expect(inOld.total).toEqual(0);
    expect((await store.appointments.find(organizationId, first.id))?.version).toEqual(2);
  }),
  { rule: 'removal', level: 'events' },
  it('a removal takes the appointment, its actors and its profiles away and leaves its events', async (store, a, organizationId) => {
    const appointment = a.scheduled({ agentIds: ['b'] });
    const kept = a.scheduled({ id: 'kept', agentIds: ['b'] });
    const created = a.event(appointment);
    const deleted = a.event(appointment, { type: 'APDeletedEvent', version: 2 });
    await commitAll(
      store,
      insertion(appointment, { customers: [a.profile(appointment)], events: [created] }),
      a.booking(kept),
      removal(appointment, { events: [deleted] }),
    );
    expect(await store.appointments.find(organizationId, appointment.id)).toEqual(undefined);
    expect(await store.customers.find(organizationId, appointment.id, 'customer-1')).toEqual(undefined);
    await expect.profiles(store, a.profile(kept));
    const listed = await store.appointments.list(a.listQuery({ agentIds: ['b'] }));
    expect(listed).toEqual({ items: [kept], total: 1 });
    const events = await store.events.list({ organizationId, appointmentId: appointment.id });
    expect(events).toEqual([created, deleted]);
  }),
  { rule: 'stale' },
  it('another version, a gone or unknown appointment is stale for update and removal', async (store, a, organizationId) => {
    const first = a.scheduled();
    const second = nextVersion(first, { title: 'Second' });
    await commitAll(store, insertion(first), update(second));
    await expect.stale(store, update({ ...second, title: 'Late' }, { before: second }));
    await expect.stale(store, update({ ...second, title: 'Early', version: 4 }, { before: second }));
    await expect.stale(store, removal(first));
    await expect.stale(store, removal({ ...first, version: 3 }));
    await expect.stale(store, update({ ...second, id: 'unknown' }, { before: second }));
    await expect.stale(store, removal({ ...first, id: 'unknown' }));
    await expect.appointments(store, second);

    await commitAll(store, removal(second));
    await expect.stale(store, removal(second));
    await expect.stale(store, update(nextVersion(second)));
    expect(await store.appointments.find(organizationId, first.id)).toEqual(undefined);
  }),
  { rule: 'organization-first' },
  it('an appointment of another organization is stale for update and removal, like an unknown one', async (store, a) => {
    const owned = a.scheduled();
    const foreign = { ...owned, organizationId: a.of('foreign').organizationId };
    await commitAll(store, insertion(owned));
    await expect.stale(store, update(nextVersion(foreign)));
    await expect.stale(store, removal(foreign));
    await expect.appointments(store, owned);
  }),
  { rule: 'stale', level: 'events' },
  it('an insert of an id that exists is stale and changes nothing', async (store, a) => {
    const first = a.scheduled({ agentIds: ['b'] });
    await commitAll(store, insertion(first, { customers: [a.profile(first)], events: [a.event(first)] }));
    const second = a.scheduled({ title: 'Second', agentIds: ['z'] });
    const profile = a.profile(second, { firstName: 'Second' });
    await expect.stale(store, insertion(second, { customers: [profile], wakeAt: minute }));
    await expect.appointments(store, first);
    await expect.profiles(store, a.profile(first));
    expect((await store.appointments.list(a.listQuery({ agentIds: ['z'] }))).total).toEqual(0);
  }),
  { rule: 'all-or-nothing', level: 'events' },
  it('an insert that finds its id taken writes nothing of the change', async (store, a) => {
    await commitAll(store, insertion(a.scheduled()));
    await expectNothingWritten(store, insertion(a.scheduled({ title: 'Twice' })), 'stale');
  }),
  it('a stale update writes nothing of the change', async (store, a) => {
    const first = await inserted(store, a.scheduled());
    const late = a.cancelled({ version: 9, agentIds: ['z'] });
    await expectNothingWritten(store, update(late, { before: first, removedCustomers: ['customer-1'] }), 'stale');
    await expect.appointments(store, first);
  }),
  it('a stale removal writes nothing of the change', async (store, a) => {
    const first = a.scheduled();
    await commitAll(store, a.booking(first));
    await expectNothingWritten(store, removal({ ...first, version: 9 }), 'stale');
    await expect.profiles(store, a.profile(first));
  }),
  it('a conflict with the overlap guard writes nothing of the change', async (store, a, organizationId) => {
    await inserted(store, a.scheduled());
    const next = a.scheduled({ id: 'second' });
    const window = { from: next.schedule.start, to: next.schedule.end };
    const change = insertion(next, { guard: { actorIds: ['agent-1'], window } });
    await expectNothingWritten(store, change, 'slotConflict');
    expect(await store.appointments.find(organizationId, 'second')).toEqual(undefined);
  }),
  { rule: 'removal' },
  it('an id that was removed may be used again', async (store, a) => {
    const first = a.scheduled();
    const again = a.scheduled({ title: 'Again' });
    await commitAll(store, insertion(first), removal(first), insertion(again));
    await expect.appointments(store, again);
  }),
  { rule: 'event-ids', level: 'events' },
  it('a change that fails to be written leaves the store working', async (store, a, organizationId) => {
    const created = a.scheduled();
    const event = a.event(created);
    await commitAll(store, insertion(created, { events: [event] }));
    const second = a.scheduled({ id: 'second' });
    await assert.rejects(store.commit(insertion(second, { events: [event] })), { name: 'StoreError' });
    expect(await store.appointments.find(organizationId, 'second')).toEqual(undefined);
    await commitAll(store, a.creation(second));
  }),
]);
