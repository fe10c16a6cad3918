import assert from 'node:assert/strict';
import type { Backlog, CustomerProfile, EndpointKey, Notification, WakeInterests } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { longText } from '../fixtures/awkward-values.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, changed, delivered, notifying } from '../fixtures/notifications.js';
import { atOnce, commitAll, numbers } from '../steps.js';

const byParticipant = (profiles: readonly CustomerProfile[]): readonly CustomerProfile[] =>
  profiles.toSorted((a, b) => (a.participantId < b.participantId ? -1 : 1));

const inOrder = (backlog: readonly Backlog[]): readonly Backlog[] =>
  backlog.toSorted((a, b) => (`${a.channel} ${a.phase}` < `${b.channel} ${b.phase}` ? -1 : 1));

const nothing: WakeInterests = { appointments: false, events: false, channels: [] };

export const notificationLookupsGroup = group('notifications are found, counted and waited for', [
  { rule: 'organization-first' },
  it('an unknown and a foreign notification are not found', async (store, a, organizationId) => {
    await commitAll(store, adding(a.of('owner').notification({ id: 'n-1' })));
    expect(await store.notifications.find(organizationId, 'n-1')).toEqual(undefined);
    expect(await store.notifications.find(a.of('owner').organizationId, 'n-2')).toEqual(undefined);
  }),
  it('the same id in two organizations is two notifications', async (store, a) => {
    const mine = a.notificationIn('SENDING', { message: 'Mine.' });
    const theirs = a.of('other').notification({ message: 'Theirs.' });
    await commitAll(store, adding(mine), adding(theirs));
    expect(await store.notifications.settle([changed(mine, delivered)])).toEqual([true]);
    await expect.notifications(store, theirs);
  }),
  { rule: 'standing-look' },
  it('a look before a send finds the notification as it is, and what else goes the same way and is under way', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const row = (id: string, overrides: Partial<Notification> = {}) => a.notification({ id, ...overrides });
    const own = a.notificationIn('SENDING', { id: 'own', kept: '{}' });
    const alike = [
      row('ready'),
      row('ready-later', { wakeAt: fixtureStart + minute }),
      row('ready-never', { wakeAt: null }),
      row('timed', { type: 'REMINDER', scheduledFor: fixtureStart }),
      a.notificationIn('SENDING', { id: 'sending', scheduledFor: fixtureStart + minute }),
      a.notificationIn('RETRY_WAIT', { id: 'waiting', wakeAt: fixtureStart + minute }),
    ];
    const elsewhere = row('elsewhere', { appointmentId: 'removed' });
    const unlike = [
      row('ahead', { type: 'REMINDER', scheduledFor: fixtureStart + 1 }),
      ...(['SUBMITTED', 'POLLING', 'DONE'] as const).map((phase) => a.notificationIn(phase, { id: phase })),
      row('sms', { channel: 'SMS' }),
      row('customer-2', { addressee: { type: 'CUSTOMER', id: 'customer-2' } }),
    ];
    const foreign = a.of('other').notification({ id: 'foreign' });
    const profile = a.profile(appointment);
    await commitAll(
      store,
      insertion(appointment, { customers: [profile] }),
      adding(own, ...alike, ...unlike, elsewhere),
      adding(foreign),
    );
    const { id, appointmentId, channel, addressee } = own;
    const look = { organizationId, id, appointmentId, channel, addresseeId: addressee.id, now: fixtureStart };
    const found = await store.notifications.findStanding(look);
    assert.ok(found !== undefined);
    const { others, ...standing } = found;
    const { primaryEmail, primaryPhone } = profile;
    const { scheduleVersion } = appointment;
    expect(standing).toEqual({ revision: own.revision, scheduleVersion, primaryEmail, primaryPhone });
    const byId = (rows: readonly Notification[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(byId(others)).toEqual(byId(alike));
    expect(await store.notifications.findStanding({ ...look, id: elsewhere.id, appointmentId: 'removed' })).toEqual({
      revision: elsewhere.revision,
      scheduleVersion: undefined,
      primaryEmail: undefined,
      primaryPhone: undefined,
      others: [],
    });
    for (const none of [{ id: 'unknown' }, { id: 'foreign' }, { organizationId: a.of('third').organizationId }]) {
      expect(await store.notifications.findStanding({ ...look, ...none })).toEqual(undefined);
    }
  }),
  { rule: 'lookups' },
  it('of given ids, those that are being sent are counted, each once', async (store, a, organizationId) => {
    const phases = ['READY', 'RETRY_WAIT', 'SUBMITTED', 'POLLING', 'DONE'] as const;
    const rows = phases.map((phase) => a.notificationIn(phase, { id: phase }));
    const sending = ['s-1', 's-2', 's-3'].map((id) => a.notificationIn('SENDING', { id }));
    const foreign = a.of('other').notificationIn('SENDING', { id: 'foreign' });
    await commitAll(store, adding(...rows, ...sending), adding(foreign));
    const all = ['s-1', 's-2', 's-3'];
    const many = numbers(500).map((index) => `u-${index}`);
    for (const [ids, count] of [
      [[], 0],
      [[...phases, 'foreign', 'unknown', 'S-1', 's-1 '], 0],
      [[...phases, 's-1', 's-3'], 2],
      [['s-2', 's-2'], 1],
      [[...many, ...all], 3],
    ] as const) {
      expect(await store.notifications.countSending(organizationId, ids)).toEqual(count);
    }
    await store.notifications.settle(sending.slice(0, 1).map((row) => changed(row, delivered)));
    expect(await store.notifications.countSending(organizationId, all)).toEqual(2);
  }),
  { rule: 'kept-messages' },
  it('what is to be sent to customers of removed records is found by organization and by appointment, in pages by id', async (store, a, organizationId) => {
    const [gone, there] = [a.scheduled({ id: 'gone' }), a.scheduled({ id: 'there' })];
    await commitAll(store, insertion(gone), insertion(there));
    const kept = '{"appointment":1}';
    const ofGone = (id: string, overrides: Partial<Notification> = {}): Notification =>
      a.notification({ id, appointmentId: gone.id, kept, ...overrides });
    const found = [
      ofGone('n-1'),
      a.notificationIn('SENDING', { id: 'n-2', appointmentId: gone.id, kept, cancelRequestedAt: fixtureStart }),
      a.notificationIn('RETRY_WAIT', {
        id: 'n-3',
        applicationId: 'app-2',
        appointmentId: gone.id,
        kept,
        channel: 'SMS',
      }),
      ofGone('n-4', { appointmentId: 'Gone' }),
    ];
    const others = [
      ofGone('o-1', { kept: undefined }),
      a.notificationIn('DONE', { id: 'o-2', appointmentId: gone.id, kept }),
      a.notificationIn('SUBMITTED', { id: 'o-3', appointmentId: gone.id, kept }),
      ofGone('o-4', { addressee: { type: 'SYSTEM', id: 'crm' }, channel: 'WEBHOOKS' }),
      ofGone('o-5', { appointmentId: there.id }),
    ];
    const foreign = a.of('other').notification({ id: 'n-1', appointmentId: gone.id, kept });
    // There one of the same id is kept, which is no reason to leave out what is of this one.
    await commitAll(store, insertion(a.of('other').scheduled({ id: gone.id })));
    // The last id comes first, so that a store which answers in the order of insertion is found out.
    await commitAll(store, adding(...found.toReversed(), ...others), adding(foreign), removal(gone));
    const [first, second, third, fourth] = found;
    expect(await store.notifications.listKept({ organizationId, limit: 10 })).toEqual(found);
    expect(await store.notifications.listKept({ organizationId, limit: 2 })).toEqual([first, second]);
    expect(await store.notifications.listKept({ organizationId, after: 'n-2', limit: 2 })).toEqual([third, fourth]);
    expect(await store.notifications.listKept({ organizationId, after: 'n-4', limit: 2 })).toEqual([]);
    expect(await store.notifications.listKept({ organizationId, appointmentId: gone.id, limit: 10 })).toEqual([
      first,
      second,
      third,
    ]);
    expect(
      await store.notifications.listKept({ organizationId, appointmentId: gone.id, after: 'n-1', limit: 1 }),
    ).toEqual([second]);
    expect(await store.notifications.listKept({ organizationId, appointmentId: there.id, limit: 10 })).toEqual([]);
    const message = 'Erased.';
    const cancel = [{ appointmentId: gone.id, addresseeId: 'customer-1', message, at: fixtureStart }];
    expect(await store.commit(notifying(organizationId, { cancel }))).toEqual({
      status: 'committed',
      sending: ['n-2'],
    });
    const left = await store.notifications.listKept({ organizationId, limit: 10 });
    expect(left.map(({ id }) => id)).toEqual(['n-2', 'n-4']);
  }),
  { rule: 'lookups' },
  it('all customers of an appointment, and none of another one', async (store, a, organizationId) => {
    const first = a.scheduled();
    const other = a.scheduled({ id: 'appointment-2' });
    const foreign = a.of('other').scheduled();
    const customers = ['c-1', 'c-2', 'c-3'].map((participantId) =>
      a.profile(first, { participantId, firstName: participantId, metadata: { of: participantId } }),
    );
    await commitAll(store, insertion(first, { customers }), a.booking(other), a.booking(foreign));
    expect(byParticipant(await store.customers.list(organizationId, first.id))).toEqual(customers);
    expect(await store.customers.list(organizationId, 'unknown')).toEqual([]);
    expect(await store.customers.list(a.of('third').organizationId, first.id)).toEqual([]);
    await commitAll(store, update(nextVersion(first), { removedCustomers: ['c-2'] }));
    const left = await store.customers.list(organizationId, first.id);
    expect(byParticipant(left)).toEqual([customers[0], customers[2]]);
    await commitAll(store, removal(nextVersion(first)));
    expect(await store.customers.list(organizationId, first.id)).toEqual([]);
  }),
  { rule: 'backlog', emptyStore: true },
  it('the backlog tells of every organization what is not done, by channel and phase, with its earliest instant', async (store, a) => {
    expect(await store.notifications.backlog()).toEqual([]);
    const other = a.of('other');
    await commitAll(
      store,
      adding(
        a.notification({ id: 'n-1', wakeAt: 70 }),
        a.notification({ id: 'n-2', wakeAt: 50 }),
        a.notification({ id: 'n-3', channel: 'SMS', wakeAt: 60 }),
        a.notificationIn('SUBMITTED', { id: 'n-4', wakeAt: null }),
        a.notificationIn('SUBMITTED', { id: 'n-5', wakeAt: null }),
        a.notificationIn('SUBMITTED', { id: 'n-6', channel: 'SMS', wakeAt: null }),
        a.notificationIn('SUBMITTED', { id: 'n-7', channel: 'SMS', wakeAt: 30 }),
        a.notificationIn('RETRY_WAIT', { id: 'n-8', channel: 'WEBHOOKS', wakeAt: 20 }),
        a.notificationIn('SENDING', { id: 'n-9', channel: 'WEBHOOKS', wakeAt: 0 }),
        a.notificationIn('POLLING', { id: 'n-10', wakeAt: 10 }),
        a.notificationIn('DONE', { id: 'n-11' }),
      ),
      adding(other.notification({ wakeAt: 90 }), other.notificationIn('DONE', { id: 'n-2' })),
    );
    expect(inOrder(await store.notifications.backlog())).toEqual([
      { channel: 'EMAIL', phase: 'POLLING', count: 1, oldestWakeAt: 10 },
      { channel: 'EMAIL', phase: 'READY', count: 3, oldestWakeAt: 50 },
      { channel: 'EMAIL', phase: 'SUBMITTED', count: 2, oldestWakeAt: null },
      { channel: 'SMS', phase: 'READY', count: 1, oldestWakeAt: 60 },
      { channel: 'SMS', phase: 'SUBMITTED', count: 2, oldestWakeAt: 30 },
      { channel: 'WEBHOOKS', phase: 'RETRY_WAIT', count: 1, oldestWakeAt: 20 },
      { channel: 'WEBHOOKS', phase: 'SENDING', count: 1, oldestWakeAt: 0 },
    ]);
  }),
  { rule: 'endpoints' },
  it('an endpoint has the state that was last recorded, and none under another key', async (store, a, organizationId) => {
    const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
    const failing = { failingSince: fixtureStart, disabledAt: null, reason: null };
    const disabled = { failingSince: fixtureStart, disabledAt: fixtureStart + 5, reason: 'gone – «410» 🤷' };
    const well = { failingSince: null, disabledAt: null, reason: null };
    expect(await store.notifications.findEndpoint(key)).toEqual(undefined);
    for (const state of [
      failing,
      disabled,
      well,
      { ...failing, reason: '' },
      { ...failing, reason: longText },
      disabled,
    ]) {
      await store.notifications.putEndpoint(key, state);
      expect(await store.notifications.findEndpoint(key)).toEqual(state);
      await store.notifications.putEndpoint(key, state);
    }
    const others: readonly EndpointKey[] = [
      { ...key, organizationId: a.of('other').organizationId },
      { ...key, applicationId: 'app-2' },
      ...['CRM', 'crm '].map((endpointId) => ({ ...key, endpointId })),
      ...['hash-2', 'HASH-1'].map((addressHash) => ({ ...key, addressHash })),
    ];
    for (const other of others) {
      expect(await store.notifications.findEndpoint(other)).toEqual(undefined);
      await store.notifications.putEndpoint(other, well);
    }
    expect(await store.notifications.findEndpoint(key)).toEqual(disabled);
    for (const other of others) expect(await store.notifications.findEndpoint(other)).toEqual(well);
  }),
  it('twenty records of one endpoint at once leave one of them', async (store, _a, organizationId) => {
    const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
    const stateOf = (index: number) => ({ failingSince: index, disabledAt: index + 100, reason: `${index}` });
    await atOnce(20, (index) => store.notifications.putEndpoint(key, stateOf(index)));
    const found = await store.notifications.findEndpoint(key);
    const { failingSince } = found ?? {};
    assert.ok(failingSince !== undefined && failingSince !== null && failingSince < 20);
    expect(found).toEqual(stateOf(failingSince));
  }),
  it('a state of an endpoint takes the place of the expected one and of no other', async (store, _a, organizationId) => {
    const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
    const well = { failingSince: null, disabledAt: null, reason: null };
    const failing = { ...well, failingSince: fixtureStart };
    const disabled = { ...failing, disabledAt: fixtureStart + 5, reason: 'gone – «410» 🤷' };
    const states = [well, failing, { ...well, disabledAt: fixtureStart }, { ...well, reason: '' }, disabled];
    const { notifications } = store;
    for (const other of [failing, disabled])
      expect(await notifications.putEndpoint(key, disabled, other)).toEqual(false);
    expect(await notifications.findEndpoint(key)).toEqual(undefined);
    expect(await notifications.putEndpoint(key, failing, well)).toEqual(true);
    expect(await notifications.findEndpoint(key)).toEqual(failing);
    for (const state of states) {
      expect(await notifications.putEndpoint(key, state)).toEqual(true);
      const others = states.filter((other) => other !== state);
      for (const other of [...others, { ...state, reason: 'gone – «410» 🤷 ' }]) {
        expect(await notifications.putEndpoint(key, failing, other)).toEqual(false);
      }
      expect(await notifications.findEndpoint(key)).toEqual(state);
      expect(await notifications.putEndpoint(key, state, state)).toEqual(true);
      expect(await notifications.putEndpoint(key, disabled, state)).toEqual(true);
      expect(await notifications.findEndpoint(key)).toEqual(disabled);
    }
  }),
  it('of twenty states of an endpoint that expect the same one is written', async (store, _a, organizationId) => {
    const key = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash-1' };
    const well = { failingSince: null, disabledAt: null, reason: null };
    const stateOf = (index: number) => ({ failingSince: index, disabledAt: index + 100, reason: `${index}` });
    const written = await atOnce(20, (index) => store.notifications.putEndpoint(key, stateOf(index), well));
    expect(written.filter(Boolean)).toEqual([true]);
    expect(await store.notifications.findEndpoint(key)).toEqual(stateOf(written.indexOf(true)));
  }),
  { rule: 'next-wake', emptyStore: true },
  it('the next instant is the earliest of the kinds of work that are asked for', async (store, a) => {
    const all: WakeInterests = { appointments: true, events: true, channels: ['EMAIL', 'SMS', 'WEBHOOKS'] };
    expect(await store.nextWakeAt(all)).toEqual(null);
    const appointment = a.scheduled();
    const event = a.event(appointment, { occurredAt: 5 });
    await commitAll(
      store,
      insertion(appointment, { wakeAt: fixtureStart + 40, events: [event] }),
      adding(
        a.notification({ id: 'n-1', wakeAt: fixtureStart + 30 }),
        a.notificationIn('RETRY_WAIT', { id: 'n-2', wakeAt: fixtureStart + 31 }),
        a.notificationIn('POLLING', { id: 'n-3', channel: 'SMS', wakeAt: fixtureStart + 50 }),
        a.notificationIn('SUBMITTED', { id: 'n-4', channel: 'WEBHOOKS', wakeAt: null }),
        a.notificationIn('DONE', { id: 'n-5', channel: 'WEBHOOKS' }),
      ),
    );
    const asked: readonly (readonly [Partial<WakeInterests>, number | null])[] = [
      [{}, null],
      [{ appointments: true }, fixtureStart + 40],
      [{ channels: ['EMAIL'] }, fixtureStart + 30],
      [{ channels: ['SMS'] }, fixtureStart + 50],
      [{ channels: ['WEBHOOKS'] }, null],
      [{ channels: ['WEBHOOKS', 'SMS'] }, fixtureStart + 50],
      [{ appointments: true, channels: ['SMS'] }, fixtureStart + 40],
    ];
    for (const [kinds, instant] of asked) expect(await store.nextWakeAt({ ...nothing, ...kinds })).toEqual(instant);
    const ofEvents = await store.nextWakeAt({ ...nothing, events: true });
    assert.ok(ofEvents !== null);
    expect(await store.nextWakeAt(all)).toEqual(Math.min(ofEvents, fixtureStart + 30));
    const leaseFor = 2 * minute;
    await store.notifications.claim({ channel: 'EMAIL', limit: 10, leaseFor, now: fixtureStart + 31 });
    expect(await store.nextWakeAt({ ...nothing, channels: ['EMAIL'] })).toEqual(fixtureStart + 31 + leaseFor);
  }),
]);
