import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, listedIds, sorted } from '../expectations.js';
import { aScheduledAppointment, customer, fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { lookalikes } from '../fixtures/lookalikes.js';
import { aProfile } from '../fixtures/profiles.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';

const placeOf = ({ organizationId, id }: Appointment): string => JSON.stringify([organizationId, id]);

const window = { from: fixtureStart, to: fixtureStart + hour };

export const lookalikesGroup: ConformanceGroup = {
  name: 'what differs only in letter case, accent or blanks stays apart',
  cases: [
    {
      name: 'organizations: find, customer, list, eligible and count',
      async run({ store, organization }) {
        for (const organizationId of lookalikes(organization('o'))) {
          assert.equal(await store.findAppointment(organizationId, 'appointment-1'), undefined);
          const { total } = await store.listAppointments(listQuery(organizationId));
          assert.equal(total, 0);
          const appointment = aScheduledAppointment({ organizationId, title: organizationId });
          await commitAll(store, insertion(appointment, { customers: [aProfile(appointment)] }));
        }
        for (const organizationId of lookalikes(organization('o'))) {
          const expected = aScheduledAppointment({ organizationId, title: organizationId });
          const counting = { organizationId, applicationId: 'app-1', windows: [window] };
          assert.deepStrictEqual(await store.findAppointment(organizationId, expected.id), expected);
          const profile = await store.findCustomer(organizationId, expected.id, 'customer-1');
          assert.deepStrictEqual(profile, aProfile(expected));
          const listed = await store.listAppointments(listQuery(organizationId, { agentIds: ['agent-1'] }));
          assert.deepStrictEqual(listed, { items: [expected], total: 1 });
          assert.deepStrictEqual(await store.listEligible(organizationId, { limit: 9 }), [expected]);
          assert.deepEqual(await store.countStarting(counting), [1]);
          assert.deepEqual(await store.countOverlapping(counting), [1]);
        }
      },
    },
    {
      name: 'organizations: update, removal, guard and events',
      async run({ store, organization }) {
        const organizations = lookalikes(organization('o'));
        for (const organizationId of organizations) {
          const appointment = aScheduledAppointment({ organizationId });
          const guard = { actorIds: ['agent-1'], window };
          await commitAll(store, insertion(appointment, { guard, events: [anEvent(appointment)] }));
        }
        const [removed, ...rest] = organizations as [string, ...string[]];
        await commitAll(store, removal(aScheduledAppointment({ organizationId: removed })));
        for (const organizationId of rest) {
          const changed = nextVersion(aScheduledAppointment({ organizationId }), { title: 'Changed' });
          await commitAll(store, update(changed));
          assert.deepStrictEqual(await store.findAppointment(organizationId, changed.id), changed);
          const events = await store.listEvents({ organizationId, appointmentId: changed.id });
          assert.deepEqual(
            events.map((event) => event.organizationId),
            [organizationId],
          );
        }
      },
    },
    {
      name: 'appointments: find, update, removal, profiles and events',
      async run({ store, organizationId }) {
        const ids = lookalikes('a');
        for (const id of ids) {
          const appointment = aScheduledAppointment({ organizationId, id });
          const customers = [aProfile(appointment, { firstName: id })];
          await commitAll(store, insertion(appointment, { customers, events: [anEvent(appointment)] }));
        }
        assert.deepEqual(sorted(await listedIds(store, listQuery(organizationId))), sorted(ids));
        for (const id of ids) {
          const appointment = aScheduledAppointment({ organizationId, id });
          const events = await store.listEvents({ organizationId, appointmentId: id });
          assert.deepStrictEqual(events, [anEvent(appointment)]);
          assert.equal((await store.findCustomer(organizationId, id, 'customer-1'))?.firstName, id);
          await commitAll(store, update(nextVersion(appointment)), removal(nextVersion(appointment)));
          assert.equal(await store.findAppointment(organizationId, id), undefined);
        }
      },
    },
    {
      name: 'participants: profiles',
      async run({ store, organizationId }) {
        const ids = lookalikes('c');
        const appointment = aScheduledAppointment({ organizationId, participants: ids.map((id) => customer(id)) });
        const customers = ids.map((id) => aProfile(appointment, { participantId: id, lastName: id }));
        const [gone, ...kept] = customers;
        assert.ok(gone !== undefined);
        const removedCustomers = [gone.participantId];
        await commitAll(
          store,
          insertion(appointment, { customers }),
          update(nextVersion(appointment), { removedCustomers }),
        );
        assert.deepStrictEqual(await store.findAppointment(organizationId, appointment.id), nextVersion(appointment));
        assert.equal(await store.findCustomer(organizationId, appointment.id, gone.participantId), undefined);
        for (const profile of kept) {
          const found = await store.findCustomer(organizationId, appointment.id, profile.participantId);
          assert.deepStrictEqual(found, profile);
        }
      },
    },
    {
      name: 'agents, organizers and customers: list filters and guard',
      async run({ store, organizationId }) {
        const [first, ...others] = lookalikes('b') as [string, ...string[]];
        for (const [index, id] of [first, ...others].entries()) {
          const participants = [customer('c', `identity-${id}`)];
          const appointment = aScheduledAppointment({
            organizationId,
            id: `at-${index}`,
            organizerId: id,
            participants,
          });
          const guard = { actorIds: [id, `identity-${id}`], window };
          await commitAll(store, insertion(appointment, { guard }));
        }
        assert.deepEqual(await listedIds(store, listQuery(organizationId, { agentIds: [first] })), ['at-0']);
        assert.deepEqual(await listedIds(store, listQuery(organizationId, { organizerIds: [first] })), ['at-0']);
        const rest = await store.listAppointments(listQuery(organizationId, { agentIds: others }));
        assert.equal(rest.total, others.length);
      },
    },
    {
      name: 'one appointment may have agents whose ids look alike',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId, organizerId: 'b', agentIds: lookalikes('b') });
        await commitAll(store, insertion(appointment));
        for (const id of lookalikes('b')) {
          const listed = await store.listAppointments(listQuery(organizationId, { agentIds: [id] }));
          assert.deepStrictEqual(listed, { items: [appointment], total: 1 });
        }
      },
    },
    {
      name: 'applications: list, eligible and count',
      async run({ store, organizationId }) {
        const applications = lookalikes('p');
        for (const [index, applicationId] of applications.entries()) {
          await commitAll(
            store,
            insertion(aScheduledAppointment({ organizationId, id: `in-${index}`, applicationId })),
          );
        }
        for (const [index, applicationId] of applications.entries()) {
          const listed = await listedIds(store, listQuery(organizationId, { applicationIds: [applicationId] }));
          assert.deepEqual(listed, [`in-${index}`]);
          const eligible = await store.listEligible(organizationId, { applicationIds: [applicationId], limit: 9 });
          assert.deepEqual(
            eligible.map(({ id }) => id),
            [`in-${index}`],
          );
          const counting = { organizationId, applicationId, windows: [window] };
          assert.deepEqual(await store.countStarting(counting), [1]);
          assert.deepEqual(await store.countOverlapping(counting), [1]);
        }
      },
    },
    {
      name: 'organizations and appointments: claims, postponements and outcomes',
      emptyStore: true,
      async run({ store, organization }) {
        const organizations = lookalikes(organization('o'));
        const all = organizations.flatMap((organizationId) =>
          lookalikes('a').map((id) => aScheduledAppointment({ organizationId, id })),
        );
        for (const appointment of all) {
          await commitAll(store, insertion(appointment, { wakeAt: fixtureStart, events: [anEvent(appointment)] }));
        }
        const [postponed, ...rest] = all as [(typeof all)[0], ...typeof all];
        const { organizationId, id: appointmentId } = postponed;
        await store.postpone({ organizationId, appointmentId, expectedVersion: 1, wakeAt: null });
        const claim = { now: fixtureStart, limit: 100, leaseUntil: fixtureStart + hour };
        const due = await store.claimDueAppointments(claim);
        assert.deepEqual(sorted(due.map(({ appointment }) => placeOf(appointment))), sorted(rest.map(placeOf)));

        const claimed = await store.claimEvents(claim);
        assert.equal(new Set(claimed.map(({ event }) => event.id)).size, all.length);
        const own = claimed.find(({ event }) => event.organizationId === organizationId);
        assert.ok(own !== undefined);
        await store.settleEvents([{ eventId: own.event.id, token: own.token, status: 'delivered', at: fixtureStart }]);
        assert.equal((await store.claimEvents({ ...claim, now: claim.leaseUntil })).length, all.length - 1);
      },
    },
    {
      name: 'requests: organization, caller, operation and key',
      async run({ store, organization, organizationId }) {
        const requests = [
          ...lookalikes(organization('o')).map((other) => aRequest(other)),
          ...lookalikes('caller').map((callerId) => aRequest(organizationId, { callerId })),
          ...lookalikes('operation').map((operation) => aRequest(organizationId, { operation })),
          ...lookalikes('key').map((key) => aRequest(organizationId, { key })),
        ].map((request) => ({ ...request, answer: JSON.stringify(keyOf(request)) }));
        for (const request of requests) {
          assert.equal(await store.findRequest(keyOf(request), request.at), undefined);
          await commitAll(store, completing(request));
        }
        for (const { fingerprint, answer, ...request } of requests) {
          assert.deepEqual(await store.findRequest(keyOf(request), request.at), { fingerprint, answer });
        }
      },
    },
  ],
};
