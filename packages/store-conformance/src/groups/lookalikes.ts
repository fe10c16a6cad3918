import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import { group, it } from '../conformance-case.js';
import { expect, listedIds, sorted } from '../expectations.js';
import { customer, fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { listQuery } from '../fixtures/queries.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';
import { commitAll, inserted } from '../steps.js';

const placeOf = ({ organizationId, id }: Appointment): string => JSON.stringify([organizationId, id]);

const window = { from: fixtureStart, to: fixtureStart + hour };

export const lookalikesGroup = group('what differs only in letter case, accent or blanks stays apart', [
  { rule: 'code-points', level: 'customers' },
  it('lookalike organizations stay apart: find, customer, list, eligible and count', async (store, a) => {
    const organizations = lookalikes(a.of('o').organizationId);
    for (const organizationId of organizations) {
      expect(await store.appointments.find(organizationId, 'appointment-1')).toEqual(undefined);
      expect(await listedIds(store, listQuery(organizationId))).toEqual([]);
      await commitAll(store, a.booking(a.scheduled({ organizationId, title: organizationId })));
    }
    for (const organizationId of organizations) {
      const expected = a.scheduled({ organizationId, title: organizationId });
      const counting = { organizationId, applicationId: 'app-1', windows: [window] };
      await expect.appointments(store, expected);
      await expect.profiles(store, a.profile(expected));
      const listed = await store.appointments.list(listQuery(organizationId, { agentIds: ['agent-1'] }));
      expect(listed).toEqual({ items: [expected], total: 1 });
      expect(await store.appointments.listEligible(organizationId, { limit: 9 })).toEqual([expected]);
      expect(await store.appointments.countStarting(counting)).toEqual([1]);
      expect(await store.appointments.countOverlapping(counting)).toEqual([1]);
    }
  }),
  it('lookalike participants stay apart: profiles', async (store, a, organizationId) => {
    const ids = lookalikes('c');
    const appointment = a.scheduled({ participants: ids.map((id) => customer(id)) });
    const customers = ids.map((id) => a.profile(appointment, { participantId: id, lastName: id }));
    const [gone = ''] = ids;
    await commitAll(store, insertion(appointment, { customers }));
    await commitAll(store, update(nextVersion(appointment), { removedCustomers: [gone] }));
    await expect.appointments(store, nextVersion(appointment));
    expect(await store.customers.find(organizationId, appointment.id, gone)).toEqual(undefined);
    await expect.profiles(store, ...customers.slice(1));
  }),
  { rule: 'code-points', level: 'events' },
  it('lookalike organizations stay apart: update, removal, guard and events', async (store, a) => {
    const organizations = lookalikes(a.of('o').organizationId);
    for (const organizationId of organizations) {
      const appointment = a.scheduled({ organizationId });
      const guard = { actorIds: ['agent-1'], window };
      await commitAll(store, insertion(appointment, { guard, events: [a.event(appointment)] }));
    }
    const [removed, ...rest] = organizations as [string, ...string[]];
    await commitAll(store, removal(a.scheduled({ organizationId: removed })));
    for (const organizationId of rest) {
      const changed = nextVersion(a.scheduled({ organizationId }), { title: 'Changed' });
      await commitAll(store, update(changed));
      await expect.appointments(store, changed);
      const events = await store.events.list({ organizationId, appointmentId: changed.id });
      expect(events.map((event) => event.organizationId)).toEqual([organizationId]);
    }
  }),
  it('lookalike appointments stay apart: find, update, removal, profiles and events', async (store, a, organizationId) => {
    const ids = lookalikes('a');
    for (const id of ids) {
      const appointment = a.scheduled({ id });
      const customers = [a.profile(appointment, { firstName: id })];
      await commitAll(store, insertion(appointment, { customers, events: [a.event(appointment)] }));
    }
    expect(sorted(await listedIds(store, a.listQuery()))).toEqual(sorted(ids));
    for (const id of ids) {
      const appointment = a.scheduled({ id });
      const events = await store.events.list({ organizationId, appointmentId: id });
      expect(events).toEqual([a.event(appointment)]);
      expect((await store.customers.find(organizationId, id, 'customer-1'))?.firstName).toEqual(id);
      await commitAll(store, update(nextVersion(appointment)), removal(nextVersion(appointment)));
      expect(await store.appointments.find(organizationId, id)).toEqual(undefined);
    }
  }),
  { rule: 'code-points' },
  it('lookalike agents, organizers and customers stay apart: list filters and guard', async (store, a) => {
    const [first, ...others] = lookalikes('b') as [string, ...string[]];
    for (const [index, organizerId] of [first, ...others].entries()) {
      const identity = `identity-${organizerId}`;
      const next = a.scheduled({ id: `at-${index}`, organizerId, participants: [customer('c', identity)] });
      await commitAll(store, insertion(next, { guard: { actorIds: [organizerId, identity], window } }));
    }
    expect(await listedIds(store, a.listQuery({ agentIds: [first] }))).toEqual(['at-0']);
    expect(await listedIds(store, a.listQuery({ organizerIds: [first] }))).toEqual(['at-0']);
    expect((await listedIds(store, a.listQuery({ agentIds: others }))).length).toEqual(others.length);
  }),
  it('one appointment may have agents whose ids look alike', async (store, a) => {
    const appointment = await inserted(store, a.scheduled({ organizerId: 'b', agentIds: lookalikes('b') }));
    for (const id of lookalikes('b')) {
      const listed = await store.appointments.list(a.listQuery({ agentIds: [id] }));
      expect(listed).toEqual({ items: [appointment], total: 1 });
    }
  }),
  it('lookalike applications stay apart: list, eligible and count', async (store, a, organizationId) => {
    const applications = lookalikes('p');
    for (const [index, applicationId] of applications.entries()) {
      await commitAll(store, insertion(a.scheduled({ id: `in-${index}`, applicationId })));
    }
    for (const [index, applicationId] of applications.entries()) {
      const only = { applicationIds: [applicationId] };
      expect(await listedIds(store, a.listQuery(only))).toEqual([`in-${index}`]);
      const eligible = await store.appointments.listEligible(organizationId, { ...only, limit: 9 });
      expect(eligible.map(({ id }) => id)).toEqual([`in-${index}`]);
      const counting = { organizationId, applicationId, windows: [window] };
      expect(await store.appointments.countStarting(counting)).toEqual([1]);
      expect(await store.appointments.countOverlapping(counting)).toEqual([1]);
    }
  }),
  { rule: 'code-points', level: 'events', emptyStore: true },
  it('lookalike organizations and appointments stay apart: claims, postponements and outcomes', async (store, a) => {
    const organizations = lookalikes(a.of('o').organizationId);
    const all = organizations.flatMap((organizationId) =>
      lookalikes('a').map((id) => a.scheduled({ organizationId, id })),
    );
    for (const appointment of all) {
      await commitAll(store, insertion(appointment, { wakeAt: fixtureStart, events: [a.event(appointment)] }));
    }
    const [postponed, ...rest] = all as [(typeof all)[0], ...typeof all];
    const { organizationId, id: appointmentId } = postponed;
    await store.appointments.postpone({ organizationId, appointmentId, expectedVersion: 1, wakeAt: null });
    const claim = { now: fixtureStart, limit: 100, leaseUntil: fixtureStart + hour };
    const due = await store.appointments.claimDue(claim);
    expect(sorted(due.map(({ appointment }) => placeOf(appointment)))).toEqual(sorted(rest.map(placeOf)));

    const claimed = await store.events.claim(claim);
    expect(new Set(claimed.map(({ event }) => event.id)).size).toEqual(all.length);
    const own = claimed.find(({ event }) => event.organizationId === organizationId);
    assert.ok(own !== undefined);
    await store.events.settle([{ eventId: own.event.id, token: own.token, status: 'delivered', at: fixtureStart }]);
    expect((await store.events.claim({ ...claim, now: claim.leaseUntil })).length).toEqual(all.length - 1);
  }),
  { rule: 'code-points', level: 'requests' },
  it('lookalike requests stay apart: organization, caller, operation and key', async (store, a) => {
    const requests = [
      ...lookalikes(a.of('o').organizationId).map((other) => aRequest(other)),
      ...lookalikes('caller').map((callerId) => a.request({ callerId })),
      ...lookalikes('operation').map((operation) => a.request({ operation })),
      ...lookalikes('key').map((key) => a.request({ key })),
    ].map((request) => ({ ...request, answer: JSON.stringify(keyOf(request)) }));
    for (const request of requests) {
      expect(await store.requests.find(keyOf(request), request.at)).toEqual(undefined);
      await commitAll(store, completing(request));
    }
    for (const { fingerprint, answer, ...request } of requests) {
      expect(await store.requests.find(keyOf(request), request.at)).toEqual({ fingerprint, answer });
    }
  }),
]);
