import { group, it } from '../conformance-case.js';
import { commitAll, expect, expectStale } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { aProfile } from '../fixtures/profiles.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';

export const isolationGroup = group('an organization sees and changes nothing of another', [
  { rule: 'organization-first', level: 'events' },
  it('a foreign appointment is answered like an unknown one by every read', async (store, organizationId, context) => {
    const owned = aScheduledAppointment({ organizationId: context.organization('owner') });
    await commitAll(store, insertion(owned, { customers: [aProfile(owned)], events: [anEvent(owned)] }));
    const windows = [{ from: fixtureStart - hour, to: fixtureStart + hour }];
    const counting = { organizationId, applicationId: owned.applicationId, windows };
    expect(await store.appointments.find(organizationId, owned.id)).toEqual(undefined);
    expect(await store.customers.find(organizationId, owned.id, 'customer-1')).toEqual(undefined);
    expect(await store.appointments.list(listQuery(organizationId))).toEqual({ items: [], total: 0 });
    expect(await store.appointments.listEligible(organizationId, { limit: 9 })).toEqual([]);
    expect(
      await store.appointments.listEligible(organizationId, { applicationIds: [owned.applicationId], limit: 9 }),
    ).toEqual([]);
    expect(await store.appointments.countStarting(counting)).toEqual([0]);
    expect(await store.appointments.countOverlapping(counting)).toEqual([0]);
    expect(await store.events.list({ organizationId, appointmentId: owned.id })).toEqual([]);
  }),
  it('the same appointment id in two organizations is two appointments', async (store, organizationId, context) => {
    const first = aScheduledAppointment({ organizationId, title: 'First' });
    const second = aScheduledAppointment({ organizationId: context.organization('b'), title: 'Second' });
    await commitAll(
      store,
      insertion(first, { customers: [aProfile(first, { firstName: 'First' })], events: [anEvent(first)] }),
      insertion(second, { customers: [aProfile(second, { firstName: 'Second' })], events: [anEvent(second)] }),
      update(nextVersion(first, { title: 'Changed' }), { removedCustomers: ['customer-1'] }),
    );
    expect(await store.appointments.find(second.organizationId, second.id)).toEqual(second);
    const profile = await store.customers.find(second.organizationId, second.id, 'customer-1');
    expect(profile?.firstName).toEqual('Second');
    expect(await store.events.list({ ...second, appointmentId: second.id })).toEqual([anEvent(second)]);
  }),
  it('an update from another organization that knows id and version is stale', async (store, organizationId, context) => {
    const owned = aScheduledAppointment({ organizationId });
    await commitAll(store, insertion(owned, { customers: [aProfile(owned)] }));
    const stolen = { ...nextVersion(owned), organizationId: context.organization('foreign') };
    await expectStale(store, update(stolen, { removedCustomers: ['customer-1'], events: [anEvent(stolen)] }));
    expect(await store.customers.find(organizationId, owned.id, 'customer-1')).toEqual(aProfile(owned));
    expect(await store.events.list({ organizationId: stolen.organizationId, appointmentId: owned.id })).toEqual([]);
  }),
  { rule: 'organization-first', emptyStore: true },
  it('a postponement from another organization does nothing', async (store, organizationId, context) => {
    const owned = aScheduledAppointment({ organizationId });
    const wakeAt = fixtureStart;
    await commitAll(store, insertion(owned, { wakeAt }));
    const foreign = { organizationId: context.organization('foreign'), appointmentId: owned.id, expectedVersion: 1 };
    await store.appointments.postpone({ ...foreign, wakeAt: null });
    const claim = { now: fixtureStart, limit: 10, leaseUntil: fixtureStart + hour };
    expect(await store.appointments.claimDue(claim)).toEqual([{ appointment: owned, wakeAt }]);
  }),
  { rule: 'organization-first', level: 'requests' },
  it('a request of another organization, caller or operation is another request', async (store, organizationId, context) => {
    const request = aRequest(organizationId, { answer: '"mine"' });
    const others = [
      aRequest(context.organization('other')),
      aRequest(organizationId, { callerId: 'caller-2' }),
      aRequest(organizationId, { operation: 'activateAppointment' }),
      aRequest(organizationId, { key: 'key-2' }),
    ];
    await commitAll(store, completing(request));
    for (const other of others) expect(await store.requests.find(keyOf(other), other.at)).toEqual(undefined);
    await commitAll(store, ...others.map(completing));
    const { fingerprint, answer, at } = request;
    expect(await store.requests.find(keyOf(request), at)).toEqual({ fingerprint, answer });
  }),
]);
