import assert from 'node:assert/strict';
import { awkwardTexts, longText } from '../fixtures/awkward-values.js';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { customer } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { commitAll } from '../steps.js';

export const profilesGroup = group('customer profiles stand beside their appointment', [
  { rule: 'round-trip' },
  it('every field comes back exactly, absent ones stay absent and empty ones empty', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const profiles = [
      a.profile(appointment, {
        participantId: 'full',
        username: 'user@EXAMPLE',
        primaryEmail: 'First.Last@example.org',
        primaryPhone: '+4915112345678',
        firstName: 'Zoë',
        lastName: '𝒮mith',
        metadata: { segment: 'gold', '': '' },
      }),
      { organizationId, appointmentId: appointment.id, participantId: 'bare', metadata: {} },
      a.profile(appointment, { participantId: 'long', lastName: longText, metadata: { long: longText } }),
      a.profile(appointment, { participantId: 'empty', username: '', firstName: '', lastName: '' }),
      ...awkwardTexts.map(([, text], index) =>
        a.profile(appointment, { participantId: `awkward-${index}`, firstName: text, metadata: { [text]: text } }),
      ),
    ];
    await commitAll(store, insertion(appointment, { customers: profiles }));
    await expect.profiles(store, ...profiles);
  }),
  { rule: 'profiles' },
  it('a profile given again replaces the whole profile and no other', async (store, a) => {
    const participants = [customer('c-1'), customer('c-2')];
    const appointment = a.scheduled({ participants });
    const [first, second] = participants.map(({ id }) =>
      a.profile(appointment, { participantId: id, firstName: 'Ada', metadata: { a: '1' } }),
    );
    assert.ok(first !== undefined && second !== undefined);
    const replaced = a.profile(appointment, { participantId: 'c-1', primaryPhone: '+4930123' });
    await commitAll(
      store,
      insertion(appointment, { customers: [first, second] }),
      update(nextVersion(appointment), { customers: [replaced] }),
    );
    await expect.profiles(store, replaced, second);
  }),
  it('removed customers lose their profile, the others and other appointments keep theirs', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const neighbour = a.scheduled({ id: 'neighbour' });
    const profiles = ['c-1', 'c-2', 'c-3'].map((participantId) => a.profile(appointment, { participantId }));
    const kept = a.profile(neighbour, { participantId: 'c-1' });
    await commitAll(
      store,
      insertion(appointment, { customers: profiles }),
      insertion(neighbour, { customers: [kept] }),
      update(nextVersion(appointment), { removedCustomers: ['c-1', 'c-3', 'unknown'] }),
    );
    expect(await store.customers.find(organizationId, appointment.id, 'c-1')).toEqual(undefined);
    expect(await store.customers.find(organizationId, appointment.id, 'c-2')).toEqual(profiles[1]);
    expect(await store.customers.find(organizationId, appointment.id, 'c-3')).toEqual(undefined);
    await expect.profiles(store, kept);
  }),
  it('an update without customers leaves the profiles as they are', async (store, a) => {
    const appointment = a.scheduled();
    const profile = a.profile(appointment);
    await commitAll(
      store,
      insertion(appointment, { customers: [profile] }),
      update(nextVersion(appointment, { title: 'Changed' })),
    );
    await expect.profiles(store, profile);
  }),
]);
