import assert from 'node:assert/strict';
import type { Change, SchedulingStore } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, expectStale } from '../expectations.js';
import { aCancelledAppointment, aScheduledAppointment, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { aProfile } from '../fixtures/profiles.js';
import { aRequest, keyOf } from '../fixtures/requests.js';

const other = 'app-other';
const lateFault = { name: 'StoreError', code: 'unavailable', outcome: 'none' };

/** Commits a change that carries something of every kind, expects a refusal, and that nothing of it was written. */
async function expectNothingWritten(store: SchedulingStore, change: Change, status: string): Promise<void> {
  const { organizationId } = change;
  const bystander = aScheduledAppointment({ organizationId, id: 'bystander' });
  await commitAll(store, insertion(bystander, { customers: [aProfile(bystander)] }));
  const request = aRequest(organizationId, { key: 'all-or-nothing', answer: '"never"' });
  const before = await store.listAppointments(listQuery(organizationId));

  const result = await store.commit({
    ...change,
    customers: [aProfile(bystander, { firstName: 'Changed' }), aProfile(bystander, { participantId: 'added' })],
    events: [anEvent(bystander, { id: `never-${organizationId}` })],
    request,
  });

  assert.equal(result.status, status);
  assert.deepStrictEqual(await store.listAppointments(listQuery(organizationId)), before);
  assert.deepStrictEqual(await store.findCustomer(organizationId, 'bystander', 'customer-1'), aProfile(bystander));
  assert.equal(await store.findCustomer(organizationId, 'bystander', 'added'), undefined);
  assert.deepEqual(await store.listEvents({ organizationId, appointmentId: 'bystander' }), []);
  assert.equal(await store.findRequest(keyOf(request), request.at), undefined);
}

export const writingGroup: ConformanceGroup = {
  name: 'a commit is written whole or not at all',
  cases: [
    {
      name: 'a commit whose call has waited too long never begins, and takes none of those beside it along',
      async run({ store, organizationId }) {
        const ids = ['late-1', 'in-time-1', 'late-2', 'in-time-2'];
        const isLate = (id: string): boolean => id.startsWith('late');
        const guard = { actorIds: ['agent-1'], window: { from: 0, to: 1 } };
        const commits = ids.map((id, index) => {
          const change = insertion(aScheduledAppointment({ organizationId, id }), index < 2 ? {} : { guard });
          return store.commit(change, isLate(id) ? { signal: AbortSignal.abort() } : {});
        });
        for (const [index, outcome] of (await Promise.allSettled(commits)).entries()) {
          const id = ids[index] ?? '';
          if (!isLate(id)) assert.deepEqual(outcome, { status: 'fulfilled', value: { status: 'committed' } });
          else await assert.rejects(Promise.resolve(commits[index]), lateFault);
          assert.equal((await store.findAppointment(organizationId, id)) === undefined, isLate(id));
        }
      },
    },
    {
      name: 'an update replaces the appointment, its place in lists and its actors',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId, organizerId: 'a', agentIds: ['b', 'c'] });
        const moved = aScheduledAppointment({
          organizationId,
          organizerId: 'd',
          agentIds: ['c'],
          applicationId: other,
        });
        await commitAll(store, insertion(first), update({ ...moved, version: 2 }));
        for (const [agentId, total] of Object.entries({ a: 0, b: 0, c: 1, d: 1 })) {
          assert.equal((await store.listAppointments(listQuery(organizationId, { agentIds: [agentId] }))).total, total);
        }
        const inOld = await store.listAppointments(listQuery(organizationId, { applicationIds: ['app-1'] }));
        assert.equal(inOld.total, 0);
        assert.equal((await store.findAppointment(organizationId, first.id))?.version, 2);
      },
    },
    {
      name: 'a removal takes the appointment, its actors and its profiles away and leaves its events',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId, agentIds: ['b'] });
        const kept = aScheduledAppointment({ organizationId, id: 'kept', agentIds: ['b'] });
        const created = anEvent(appointment);
        const deleted = anEvent(appointment, { type: 'APDeletedEvent', version: 2 });
        await commitAll(
          store,
          insertion(appointment, { customers: [aProfile(appointment)], events: [created] }),
          insertion(kept, { customers: [aProfile(kept)] }),
          removal(appointment, { events: [deleted] }),
        );
        assert.equal(await store.findAppointment(organizationId, appointment.id), undefined);
        assert.equal(await store.findCustomer(organizationId, appointment.id, 'customer-1'), undefined);
        assert.deepStrictEqual(await store.findCustomer(organizationId, kept.id, 'customer-1'), aProfile(kept));
        const listed = await store.listAppointments(listQuery(organizationId, { agentIds: ['b'] }));
        assert.deepStrictEqual(listed, { items: [kept], total: 1 });
        const events = await store.listEvents({ organizationId, appointmentId: appointment.id });
        assert.deepStrictEqual(events, [created, deleted]);
      },
    },
    {
      name: 'another version, a gone or unknown appointment is stale for update and removal',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId });
        const second = nextVersion(first, { title: 'Second' });
        await commitAll(store, insertion(first), update(second));
        await expectStale(store, update({ ...second, title: 'Late' }));
        await expectStale(store, update({ ...second, title: 'Early', version: 4 }));
        await expectStale(store, removal(first));
        await expectStale(store, removal({ ...first, version: 3 }));
        await expectStale(store, update({ ...second, id: 'unknown' }));
        await expectStale(store, removal({ ...first, id: 'unknown' }));
        assert.deepStrictEqual(await store.findAppointment(organizationId, first.id), second);

        await commitAll(store, removal(second));
        await expectStale(store, removal(second));
        await expectStale(store, update(nextVersion(second)));
        assert.equal(await store.findAppointment(organizationId, first.id), undefined);
      },
    },
    {
      name: 'an appointment of another organization is stale for update and removal, like an unknown one',
      async run({ store, organizationId, organization }) {
        const owned = aScheduledAppointment({ organizationId });
        const foreign = { ...owned, organizationId: organization('foreign') };
        await commitAll(store, insertion(owned));
        await expectStale(store, update(nextVersion(foreign)));
        await expectStale(store, removal(foreign));
        assert.deepStrictEqual(await store.findAppointment(organizationId, owned.id), owned);
      },
    },
    {
      name: 'an insert of an id that exists is stale and changes nothing',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId, agentIds: ['b'] });
        await commitAll(store, insertion(first, { customers: [aProfile(first)], events: [anEvent(first)] }));
        const second = aScheduledAppointment({ organizationId, title: 'Second', agentIds: ['z'] });
        const profile = aProfile(second, { firstName: 'Second' });
        await expectStale(store, insertion(second, { customers: [profile], wakeAt: minute }));
        assert.deepStrictEqual(await store.findAppointment(organizationId, first.id), first);
        assert.deepStrictEqual(await store.findCustomer(organizationId, first.id, 'customer-1'), aProfile(first));
        assert.equal((await store.listAppointments(listQuery(organizationId, { agentIds: ['z'] }))).total, 0);
      },
    },
    {
      name: 'an insert that finds its id taken writes nothing of the change',
      async run({ store, organizationId }) {
        await commitAll(store, insertion(aScheduledAppointment({ organizationId })));
        await expectNothingWritten(
          store,
          insertion(aScheduledAppointment({ organizationId, title: 'Twice' })),
          'stale',
        );
      },
    },
    {
      name: 'a stale update writes nothing of the change',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(first));
        const late = aCancelledAppointment({ organizationId, version: 9, agentIds: ['z'] });
        await expectNothingWritten(store, { ...update(late), removedCustomers: ['customer-1'] }, 'stale');
        assert.deepStrictEqual(await store.findAppointment(organizationId, first.id), first);
      },
    },
    {
      name: 'a stale removal writes nothing of the change',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(first, { customers: [aProfile(first)] }));
        await expectNothingWritten(store, removal({ ...first, version: 9 }), 'stale');
        assert.deepStrictEqual(await store.findCustomer(organizationId, first.id, 'customer-1'), aProfile(first));
      },
    },
    {
      name: 'a conflict with the overlap guard writes nothing of the change',
      async run({ store, organizationId }) {
        const booked = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(booked));
        const next = aScheduledAppointment({ organizationId, id: 'second' });
        const window = { from: next.schedule.start, to: next.schedule.end };
        const change = insertion(next, { guard: { actorIds: ['agent-1'], window } });
        await expectNothingWritten(store, change, 'slotConflict');
        assert.equal(await store.findAppointment(organizationId, 'second'), undefined);
      },
    },
    {
      name: 'an id that was removed may be used again',
      async run({ store, organizationId }) {
        const first = aScheduledAppointment({ organizationId });
        const again = aScheduledAppointment({ organizationId, title: 'Again' });
        await commitAll(store, insertion(first), removal(first), insertion(again));
        assert.deepStrictEqual(await store.findAppointment(organizationId, first.id), again);
      },
    },
    {
      name: 'a change that fails to be written leaves the store working',
      rule: 'ids of events are unique in the whole store: an event whose id is taken makes the commit reject with a StoreError, and nothing of it is written',
      async run({ store, organizationId }) {
        const created = aScheduledAppointment({ organizationId });
        const event = anEvent(created);
        await commitAll(store, insertion(created, { events: [event] }));
        const second = aScheduledAppointment({ organizationId, id: 'second' });
        await assert.rejects(store.commit(insertion(second, { events: [event] })), { name: 'StoreError' });
        assert.equal(await store.findAppointment(organizationId, 'second'), undefined);
        await commitAll(store, insertion(second, { events: [anEvent(second)] }));
      },
    },
  ],
};
