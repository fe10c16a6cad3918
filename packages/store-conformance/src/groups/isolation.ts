import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { completing, keyOf } from '../fixtures/requests.js';
import { commitAll } from '../steps.js';

export const isolationGroup = group('an organization sees and changes nothing of another', [
  { rule: 'organization-first', level: 'events' },
  it('a foreign appointment is answered like an unknown one by every read', async (store, a, organizationId) => {
    const owned = a.of('owner').scheduled();
    await commitAll(store, insertion(owned, { customers: [a.profile(owned)], events: [a.event(owned)] }));
    const windows = [{ from: fixtureStart - hour, to: fixtureStart + hour }];
    const counting = { organizationId, applicationId: owned.applicationId, windows };
    expect(await store.appointments.find(organizationId, owned.id)).toEqual(undefined);
    expect(await store.customers.find(organizationId, owned.id, 'customer-1')).toEqual(undefined);
    expect(await store.appointments.list(a.listQuery())).toEqual({ items: [], total: 0 });
    expect(await store.appointments.listEligible(organizationId, { limit: 9 })).toEqual([]);
    expect(
      await store.appointments.listEligible(organizationId, { applicationIds: [owned.applicationId], limit: 9 }),
    ).toEqual([]);
    expect(await store.appointments.countStarting(counting)).toEqual([0]);
    expect(await store.appointments.countOverlapping(counting)).toEqual([0]);
    expect(await store.events.list({ organizationId, appointmentId: owned.id })).toEqual([]);
  }),
  it('the same appointment id in two organizations is two appointments', async (store, a) => {
    const first = a.scheduled({ title: 'First' });
    const second = a.of('b').scheduled({ title: 'Second' });
    await commitAll(
      store,
      insertion(first, { customers: [a.profile(first, { firstName: 'First' })], events: [a.event(first)] }),
      insertion(second, { customers: [a.profile(second, { firstName: 'Second' })], events: [a.event(second)] }),
      update(nextVersion(first, { title: 'Changed' }), { removedCustomers: ['customer-1'] }),
    );
    await expect.appointments(store, second);
    const profile = await store.customers.find(second.organizationId, second.id, 'customer-1');
    expect(profile?.firstName).toEqual('Second');
    expect(await store.events.list({ ...second, appointmentId: second.id })).toEqual([a.event(second)]);
  }),
  it('an update from another organization that knows id and version is stale', async (store, a) => {
    const owned = a.scheduled();
    await commitAll(store, a.booking(owned));
    const stolen = { ...nextVersion(owned), organizationId: a.of('foreign').organizationId };
    await expect.stale(
      store,
      update(stolen, { before: owned, removedCustomers: ['customer-1'], events: [a.event(stolen)] }),
    );
    await expect.profiles(store, a.profile(owned));
    expect(await store.events.list({ organizationId: stolen.organizationId, appointmentId: owned.id })).toEqual([]);
  }),
  { rule: 'organization-first', emptyStore: true },
  it('a postponement from another organization does nothing', async (store, a) => {
    const owned = a.scheduled();
    const wakeAt = fixtureStart;
    await commitAll(store, insertion(owned, { wakeAt }));
    const foreign = { organizationId: a.of('foreign').organizationId, appointmentId: owned.id, expectedVersion: 1 };
    await store.appointments.postpone({ ...foreign, wakeAt: null });
    const claim = { now: fixtureStart, limit: 10, leaseUntil: fixtureStart + hour };
    expect(await store.appointments.claimDue(claim)).toEqual([{ appointment: owned, wakeAt }]);
  }),
  { rule: 'organization-first', level: 'requests' },
  it('a request of another organization, caller or operation is another request', async (store, a) => {
    const request = a.request({ answer: '"mine"' });
    const others = [
      a.of('other').request(),
      a.request({ callerId: 'caller-2' }),
      a.request({ operation: 'activateAppointment' }),
      a.request({ key: 'key-2' }),
    ];
    await commitAll(store, completing(request));
    for (const other of others) expect(await store.requests.find(keyOf(other), other.at)).toEqual(undefined);
    await commitAll(store, ...others.map(completing));
    const { fingerprint, answer, at } = request;
    expect(await store.requests.find(keyOf(request), at)).toEqual({ fingerprint, answer });
  }),
]);
