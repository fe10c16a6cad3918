import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, expectStale } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { aProfile } from '../fixtures/profiles.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';

export const isolationGroup: ConformanceGroup = {
  name: 'an organization sees and changes nothing of another',
  cases: [
    {
      name: 'a foreign appointment is answered like an unknown one by every read',
      async run({ store, organizationId, organization }) {
        const owned = aScheduledAppointment({ organizationId: organization('owner') });
        await commitAll(store, insertion(owned, { customers: [aProfile(owned)], events: [anEvent(owned)] }));
        const windows = [{ from: fixtureStart - hour, to: fixtureStart + hour }];
        const counting = { organizationId, applicationId: owned.applicationId, windows };
        assert.equal(await store.findAppointment(organizationId, owned.id), undefined);
        assert.equal(await store.findCustomer(organizationId, owned.id, 'customer-1'), undefined);
        assert.deepEqual(await store.listAppointments(listQuery(organizationId)), { items: [], total: 0 });
        assert.deepEqual(await store.listEligible(organizationId, { limit: 9 }), []);
        assert.deepEqual(
          await store.listEligible(organizationId, { applicationIds: [owned.applicationId], limit: 9 }),
          [],
        );
        assert.deepEqual(await store.countStarting(counting), [0]);
        assert.deepEqual(await store.countOverlapping(counting), [0]);
        assert.deepEqual(await store.listEvents({ organizationId, appointmentId: owned.id }), []);
      },
    },
    {
      name: 'the same appointment id in two organizations is two appointments',
      async run({ store, organizationId, organization }) {
        const first = aScheduledAppointment({ organizationId, title: 'First' });
        const second = aScheduledAppointment({ organizationId: organization('b'), title: 'Second' });
        await commitAll(
          store,
          insertion(first, { customers: [aProfile(first, { firstName: 'First' })], events: [anEvent(first)] }),
          insertion(second, { customers: [aProfile(second, { firstName: 'Second' })], events: [anEvent(second)] }),
          update(nextVersion(first, { title: 'Changed' }), { removedCustomers: ['customer-1'] }),
        );
        assert.deepStrictEqual(await store.findAppointment(second.organizationId, second.id), second);
        const profile = await store.findCustomer(second.organizationId, second.id, 'customer-1');
        assert.equal(profile?.firstName, 'Second');
        assert.deepStrictEqual(await store.listEvents({ ...second, appointmentId: second.id }), [anEvent(second)]);
      },
    },
    {
      name: 'a postponement from another organization does nothing',
      emptyStore: true,
      async run({ store, organizationId, organization }) {
        const owned = aScheduledAppointment({ organizationId });
        const wakeAt = fixtureStart;
        await commitAll(store, insertion(owned, { wakeAt }));
        const foreign = { organizationId: organization('foreign'), appointmentId: owned.id, expectedVersion: 1 };
        await store.postpone({ ...foreign, wakeAt: null });
        const claim = { now: fixtureStart, limit: 10, leaseUntil: fixtureStart + hour };
        assert.deepStrictEqual(await store.claimDueAppointments(claim), [{ appointment: owned, wakeAt }]);
      },
    },
    {
      name: 'a request of another organization, caller or operation is another request',
      async run({ store, organizationId, organization }) {
        const request = aRequest(organizationId, { answer: '"mine"' });
        const others = [
          aRequest(organization('other')),
          aRequest(organizationId, { callerId: 'caller-2' }),
          aRequest(organizationId, { operation: 'activateAppointment' }),
          aRequest(organizationId, { key: 'key-2' }),
        ];
        await commitAll(store, completing(request));
        for (const other of others) assert.equal(await store.findRequest(keyOf(other), other.at), undefined);
        await commitAll(store, ...others.map(completing));
        const { fingerprint, answer, at } = request;
        assert.deepEqual(await store.findRequest(keyOf(request), at), { fingerprint, answer });
      },
    },
    {
      name: 'an update from another organization that knows id and version is stale',
      async run({ store, organizationId, organization }) {
        const owned = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(owned, { customers: [aProfile(owned)] }));
        const stolen = { ...nextVersion(owned), organizationId: organization('foreign') };
        await expectStale(store, update(stolen, { removedCustomers: ['customer-1'], events: [anEvent(stolen)] }));
        assert.deepStrictEqual(await store.findCustomer(organizationId, owned.id, 'customer-1'), aProfile(owned));
        assert.deepEqual(
          await store.listEvents({ organizationId: stolen.organizationId, appointmentId: owned.id }),
          [],
        );
      },
    },
  ],
};
