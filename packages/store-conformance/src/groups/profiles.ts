import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { commitAll, expect } from '../expectations.js';
import { aScheduledAppointment, customer } from '../fixtures/appointments.js';
import { awkwardTexts } from '../fixtures/awkward-values.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { aProfile } from '../fixtures/profiles.js';

export const profilesGroup = group('customer profiles stand beside their appointment', [
  { rule: 'round-trip' },
  it('every field comes back exactly, absent ones stay absent and empty ones empty', async (store, organizationId) => {
    const appointment = aScheduledAppointment({ organizationId });
    const profiles = [
      aProfile(appointment, {
        participantId: 'full',
        username: 'user@EXAMPLE',
        primaryEmail: 'First.Last@example.org',
        primaryPhone: '+4915112345678',
        firstName: 'Zoë',
        lastName: '𝒮mith',
        metadata: { segment: 'gold', '': '' },
      }),
      { organizationId, appointmentId: appointment.id, participantId: 'bare', metadata: {} },
      aProfile(appointment, { participantId: 'empty', username: '', firstName: '', lastName: '' }),
      ...awkwardTexts.map(([, text], index) =>
        aProfile(appointment, { participantId: `awkward-${index}`, firstName: text, metadata: { [text]: text } }),
      ),
    ];
    await commitAll(store, insertion(appointment, { customers: profiles }));
    for (const profile of profiles) {
      const found = await store.customers.find(organizationId, appointment.id, profile.participantId);
      expect(found).toEqual(profile);
    }
  }),
  { rule: 'profiles' },
  it('a profile given again replaces the whole profile and no other', async (store, organizationId) => {
    const participants = [customer('c-1'), customer('c-2')];
    const appointment = aScheduledAppointment({ organizationId, participants });
    const [first, second] = participants.map(({ id }) =>
      aProfile(appointment, { participantId: id, firstName: 'Ada', metadata: { a: '1' } }),
    );
    assert.ok(first !== undefined && second !== undefined);
    const replaced = aProfile(appointment, { participantId: 'c-1', primaryPhone: '+4930123' });
    await commitAll(
      store,
      insertion(appointment, { customers: [first, second] }),
      update(nextVersion(appointment), { customers: [replaced] }),
    );
    expect(await store.customers.find(organizationId, appointment.id, 'c-1')).toEqual(replaced);
    expect(await store.customers.find(organizationId, appointment.id, 'c-2')).toEqual(second);
  }),
  it('removed customers lose their profile, the others and other appointments keep theirs', async (store, organizationId) => {
    const appointment = aScheduledAppointment({ organizationId });
    const neighbour = aScheduledAppointment({ organizationId, id: 'neighbour' });
    const profiles = ['c-1', 'c-2', 'c-3'].map((participantId) => aProfile(appointment, { participantId }));
    const kept = aProfile(neighbour, { participantId: 'c-1' });
    await commitAll(
      store,
      insertion(appointment, { customers: profiles }),
      insertion(neighbour, { customers: [kept] }),
      update(nextVersion(appointment), { removedCustomers: ['c-1', 'c-3', 'unknown'] }),
    );
    expect(await store.customers.find(organizationId, appointment.id, 'c-1')).toEqual(undefined);
    expect(await store.customers.find(organizationId, appointment.id, 'c-2')).toEqual(profiles[1]);
    expect(await store.customers.find(organizationId, appointment.id, 'c-3')).toEqual(undefined);
    expect(await store.customers.find(organizationId, neighbour.id, 'c-1')).toEqual(kept);
  }),
  it('an update without customers leaves the profiles as they are', async (store, organizationId) => {
    const appointment = aScheduledAppointment({ organizationId });
    const profile = aProfile(appointment);
    await commitAll(
      store,
      insertion(appointment, { customers: [profile] }),
      update(nextVersion(appointment, { title: 'Changed' })),
    );
    expect(await store.customers.find(organizationId, appointment.id, 'customer-1')).toEqual(profile);
  }),
]);
