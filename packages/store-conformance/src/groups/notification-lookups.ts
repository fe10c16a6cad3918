import assert from 'node:assert/strict';
import type { Backlog, CustomerProfile, EndpointKey, Notification, WakeInterests } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { adding, changed, notification, notificationIn } from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';

const byParticipant = (profiles: readonly CustomerProfile[]): readonly CustomerProfile[] =>
  profiles.toSorted((a, b) => (a.participantId < b.participantId ? -1 : 1));

const inOrder = (backlog: readonly Backlog[]): readonly Backlog[] =>
  backlog.toSorted((a, b) => (`${a.channel} ${a.phase}` < `${b.channel} ${b.phase}` ? -1 : 1));

const nothing: WakeInterests = { appointments: false, events: false, channels: [] };

export const notificationLookupsGroup: ConformanceGroup = {
  name: 'notifications are found, counted and waited for',
  cases: [
    {
      name: 'an unknown and a foreign notification are not found',
      async run({ store, organizationId, organization }) {
        await commitAll(store, adding(notification({ organizationId: organization('owner'), id: 'n-1' })));
        assert.equal(await store.findNotification(organizationId, 'n-1'), undefined);
        assert.equal(await store.findNotification(organization('owner'), 'n-2'), undefined);
      },
    },
    {
      name: 'the same id in two organizations is two notifications',
      async run({ store, organizationId, organization }) {
        const mine = notificationIn('SENDING', { organizationId, message: 'Mine.' });
        const theirs = notification({ organizationId: organization('other'), message: 'Theirs.' });
        await commitAll(store, adding(mine), adding(theirs));
        const settled = changed(mine, { phase: 'DONE', status: 'DELIVERED', wakeAt: null });
        assert.deepEqual(await store.settleNotifications([settled]), [true]);
        const found = await store.findNotification(theirs.organizationId, theirs.id);
        assert.deepStrictEqual(found?.notification, theirs);
      },
    },
    {
      name: 'before a send: the notification as it is, and what else goes the same way and is under way',
      async run({ store, organizationId, organization }) {
        const appointment = aScheduledAppointment({ organizationId });
        const row = (id: string, overrides: Partial<Notification> = {}) =>
          notification({ organizationId, id, ...overrides });
        const own = notificationIn('SENDING', { organizationId, id: 'own', kept: '{}' });
        const alike = [
          row('ready'),
          row('ready-later', { wakeAt: fixtureStart + minute }),
          row('ready-never', { wakeAt: null }),
          row('timed', { type: 'REMINDER', scheduledFor: fixtureStart }),
          notificationIn('SENDING', { organizationId, id: 'sending', scheduledFor: fixtureStart + minute }),
          notificationIn('RETRY_WAIT', { organizationId, id: 'waiting', wakeAt: fixtureStart + minute }),
        ];
        const elsewhere = row('elsewhere', { appointmentId: 'removed' });
        const unlike = [
          row('ahead', { type: 'REMINDER', scheduledFor: fixtureStart + 1 }),
          ...(['SUBMITTED', 'POLLING', 'DONE'] as const).map((phase) =>
            notificationIn(phase, { organizationId, id: phase }),
          ),
          row('sms', { channel: 'SMS' }),
          row('customer-2', { addressee: { type: 'CUSTOMER', id: 'customer-2' } }),
        ];
        const foreign = notification({ organizationId: organization('other'), id: 'foreign' });
        const profile = aProfile(appointment);
        await commitAll(
          store,
          insertion(appointment, { customers: [profile] }),
          adding(own, ...alike, ...unlike, elsewhere),
          adding(foreign),
        );
        const { appointmentId, channel, addressee } = own;
        const look = {
          organizationId,
          id: own.id,
          appointmentId,
          channel,
          addresseeId: addressee.id,
          now: fixtureStart,
        };
        const found = await store.findStanding(look);
        assert.ok(found !== undefined);
        const { others, ...standing } = found;
        const { primaryEmail, primaryPhone } = profile;
        const { scheduleVersion } = appointment;
        assert.deepStrictEqual(standing, { revision: own.revision, scheduleVersion, primaryEmail, primaryPhone });
        const byId = (rows: readonly Notification[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        assert.deepStrictEqual(byId(others), byId(alike));
        assert.deepStrictEqual(await store.findStanding({ ...look, id: elsewhere.id, appointmentId: 'removed' }), {
          ...{ revision: elsewhere.revision, scheduleVersion: undefined },
          ...{ primaryEmail: undefined, primaryPhone: undefined, others: [] },
        });
        assert.equal(await store.findStanding({ ...look, id: 'unknown' }), undefined);
        assert.equal(await store.findStanding({ ...look, id: 'foreign' }), undefined);
        assert.equal(await store.findStanding({ ...look, organizationId: organization('third') }), undefined);
      },
    },
    {
      name: 'of given ids, those that are being sent are counted, each once',
      async run({ store, organizationId, organization }) {
        const phases = ['READY', 'RETRY_WAIT', 'SUBMITTED', 'POLLING', 'DONE'] as const;
        const rows = phases.map((phase) => notificationIn(phase, { organizationId, id: phase }));
        const sending = ['s-1', 's-2', 's-3'].map((id) => notificationIn('SENDING', { organizationId, id }));
        const foreign = notificationIn('SENDING', { organizationId: organization('other'), id: 'foreign' });
        await commitAll(store, adding(...rows, ...sending), adding(foreign));
        assert.equal(await store.countSending(organizationId, []), 0);
        assert.equal(await store.countSending(organizationId, [...phases, 'foreign', 'unknown', 'S-1', 's-1 ']), 0);
        assert.equal(await store.countSending(organizationId, [...phases, 's-1', 's-3']), 2);
        assert.equal(await store.countSending(organizationId, ['s-2', 's-2']), 1);
        const many = Array.from({ length: 500 }, (_, index) => `u-${index}`);
        assert.equal(await store.countSending(organizationId, [...many, 's-1', 's-2', 's-3']), 3);
        const [first] = sending;
        assert.ok(first !== undefined);
        await store.settleNotifications([changed(first, { phase: 'DONE', status: 'DELIVERED', wakeAt: null })]);
        assert.equal(await store.countSending(organizationId, ['s-1', 's-2', 's-3']), 2);
      },
    },
    {
      name: 'all customers of an appointment, and none of another one',
      async run({ store, organizationId, organization }) {
        const first = aScheduledAppointment({ organizationId });
        const other = aScheduledAppointment({ organizationId, id: 'appointment-2' });
        const foreign = aScheduledAppointment({ organizationId: organization('other') });
        const customers = ['c-1', 'c-2', 'c-3'].map((participantId) =>
          aProfile(first, { participantId, firstName: participantId, metadata: { of: participantId } }),
        );
        await commitAll(
          store,
          insertion(first, { customers }),
          insertion(other, { customers: [aProfile(other)] }),
          insertion(foreign, { customers: [aProfile(foreign)] }),
        );
        assert.deepStrictEqual(byParticipant(await store.listCustomers(organizationId, first.id)), customers);
        assert.deepEqual(await store.listCustomers(organizationId, 'unknown'), []);
        assert.deepEqual(await store.listCustomers(organization('third'), first.id), []);
        await commitAll(store, update(nextVersion(first), { removedCustomers: ['c-2'] }));
        const left = await store.listCustomers(organizationId, first.id);
        assert.deepStrictEqual(byParticipant(left), [customers[0], customers[2]]);
        await commitAll(store, removal(nextVersion(first)));
        assert.deepEqual(await store.listCustomers(organizationId, first.id), []);
      },
    },
    {
      name: 'the backlog tells of every organization what is not done, by channel and phase, with its earliest instant',
      emptyStore: true,
      async run({ store, organizationId, organization }) {
        assert.deepEqual(await store.notificationBacklog(), []);
        const other = organization('other');
        await commitAll(
          store,
          adding(
            notification({ organizationId, id: 'n-1', wakeAt: 70 }),
            notification({ organizationId, id: 'n-2', wakeAt: 50 }),
            notification({ organizationId, id: 'n-3', channel: 'SMS', wakeAt: 60 }),
            notificationIn('SUBMITTED', { organizationId, id: 'n-4', wakeAt: null }),
            notificationIn('SUBMITTED', { organizationId, id: 'n-5', wakeAt: null }),
            notificationIn('SUBMITTED', { organizationId, id: 'n-6', channel: 'SMS', wakeAt: null }),
            notificationIn('SUBMITTED', { organizationId, id: 'n-7', channel: 'SMS', wakeAt: 30 }),
            notificationIn('RETRY_WAIT', { organizationId, id: 'n-8', channel: 'WEBHOOKS', wakeAt: 20 }),
            notificationIn('SENDING', { organizationId, id: 'n-9', channel: 'WEBHOOKS', wakeAt: 0 }),
            notificationIn('POLLING', { organizationId, id: 'n-10', wakeAt: 10 }),
            notificationIn('DONE', { organizationId, id: 'n-11' }),
          ),
          adding(
            notification({ organizationId: other, wakeAt: 90 }),
            notificationIn('DONE', { organizationId: other, id: 'n-2' }),
          ),
        );
        assert.deepStrictEqual(inOrder(await store.notificationBacklog()), [
          { channel: 'EMAIL', phase: 'POLLING', count: 1, oldestWakeAt: 10 },
          { channel: 'EMAIL', phase: 'READY', count: 3, oldestWakeAt: 50 },
          { channel: 'EMAIL', phase: 'SUBMITTED', count: 2, oldestWakeAt: null },
          { channel: 'SMS', phase: 'READY', count: 1, oldestWakeAt: 60 },
          { channel: 'SMS', phase: 'SUBMITTED', count: 2, oldestWakeAt: 30 },
          { channel: 'WEBHOOKS', phase: 'RETRY_WAIT', count: 1, oldestWakeAt: 20 },
          { channel: 'WEBHOOKS', phase: 'SENDING', count: 1, oldestWakeAt: 0 },
        ]);
      },
    },
    {
      name: 'an endpoint has the state that was last recorded, and none under another key',
      async run({ store, organizationId, organization }) {
        const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
        const failing = { failingSince: fixtureStart, disabledAt: null, reason: null };
        const disabled = { failingSince: fixtureStart, disabledAt: fixtureStart + 5, reason: 'gone – «410» 🤷' };
        const well = { failingSince: null, disabledAt: null, reason: null };
        assert.equal(await store.findEndpoint(key), undefined);
        for (const state of [failing, disabled, well, { ...failing, reason: '' }, disabled]) {
          await store.putEndpoint(key, state);
          assert.deepStrictEqual(await store.findEndpoint(key), state);
          await store.putEndpoint(key, state);
        }
        const others: readonly EndpointKey[] = [
          { ...key, organizationId: organization('other') },
          { ...key, applicationId: 'app-2' },
          { ...key, endpointId: 'CRM' },
          { ...key, endpointId: 'crm ' },
          { ...key, addressHash: 'hash-2' },
          { ...key, addressHash: 'HASH-1' },
        ];
        for (const other of others) {
          assert.equal(await store.findEndpoint(other), undefined);
          await store.putEndpoint(other, well);
        }
        assert.deepStrictEqual(await store.findEndpoint(key), disabled);
        for (const other of others) assert.deepStrictEqual(await store.findEndpoint(other), well);
      },
    },
    {
      name: 'twenty records of one endpoint at once leave one of them',
      async run({ store, organizationId }) {
        const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
        const states = Array.from({ length: 20 }, (_, index) => ({
          failingSince: index,
          disabledAt: index + 100,
          reason: `${index}`,
        }));
        await Promise.all(states.map((state) => store.putEndpoint(key, state)));
        const found = await store.findEndpoint(key);
        assert.deepStrictEqual(found, states[found?.failingSince ?? -1]);
      },
    },
    {
      name: 'the next instant is the earliest of the kinds of work that are asked for',
      emptyStore: true,
      async run({ store, organizationId }) {
        const all: WakeInterests = { appointments: true, events: true, channels: ['EMAIL', 'SMS', 'WEBHOOKS'] };
        assert.equal(await store.nextWakeAt(all), null);
        const appointment = aScheduledAppointment({ organizationId });
        const event = anEvent(appointment, { occurredAt: 5 });
        await commitAll(
          store,
          insertion(appointment, { wakeAt: fixtureStart + 40, events: [event] }),
          adding(
            notification({ organizationId, id: 'n-1', wakeAt: fixtureStart + 30 }),
            notificationIn('RETRY_WAIT', { organizationId, id: 'n-2', wakeAt: fixtureStart + 31 }),
            notificationIn('POLLING', { organizationId, id: 'n-3', channel: 'SMS', wakeAt: fixtureStart + 50 }),
            notificationIn('SUBMITTED', { organizationId, id: 'n-4', channel: 'WEBHOOKS', wakeAt: null }),
            notificationIn('DONE', { organizationId, id: 'n-5', channel: 'WEBHOOKS' }),
          ),
        );
        assert.equal(await store.nextWakeAt(nothing), null);
        assert.equal(await store.nextWakeAt({ ...nothing, appointments: true }), fixtureStart + 40);
        assert.equal(await store.nextWakeAt({ ...nothing, channels: ['EMAIL'] }), fixtureStart + 30);
        assert.equal(await store.nextWakeAt({ ...nothing, channels: ['SMS'] }), fixtureStart + 50);
        assert.equal(await store.nextWakeAt({ ...nothing, channels: ['WEBHOOKS'] }), null);
        assert.equal(await store.nextWakeAt({ ...nothing, channels: ['WEBHOOKS', 'SMS'] }), fixtureStart + 50);
        assert.equal(await store.nextWakeAt({ ...nothing, appointments: true, channels: ['SMS'] }), fixtureStart + 40);
        const ofEvents = await store.nextWakeAt({ ...nothing, events: true });
        assert.ok(ofEvents !== null);
        assert.equal(await store.nextWakeAt(all), Math.min(ofEvents, fixtureStart + 30));
        const leaseFor = 2 * minute;
        await store.claimNotifications({ channel: 'EMAIL', limit: 10, leaseFor, now: fixtureStart + 31 });
        const ofMails = await store.nextWakeAt({ ...nothing, channels: ['EMAIL'] });
        assert.equal(ofMails, fixtureStart + 31 + leaseFor);
      },
    },
  ],
};
