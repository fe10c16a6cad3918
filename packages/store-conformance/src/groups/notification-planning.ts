import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import {
  commitAll,
  deliveryEventsOf,
  expect,
  expectNotifications,
  expectStale,
  listedNotificationIds,
} from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { notificationQuery } from '../fixtures/notification-query.js';
import {
  adding,
  changed,
  deliveryEvent,
  notification,
  notificationIn,
  notifying,
  written,
} from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';
import { aRequest, completing } from '../fixtures/requests.js';

export const notificationPlanningGroup = group('notifications are written with the commit that causes them', [
  { rule: 'notification-changes' },
  it('what an insert adds is found with its events, the appointment and the profile', async (store, organizationId) => {
    const appointment = aScheduledAppointment({ organizationId });
    const next = notification({ organizationId, eventCount: 2 });
    const events = [deliveryEvent(), deliveryEvent({ number: 2, timestamp: fixtureStart, message: 'Two.' })];
    const notifications = { add: [written(next, events)] };
    await commitAll(store, insertion(appointment, { customers: [aProfile(appointment)], notifications }));
    const found = await store.notifications.find(organizationId, next.id);
    expect(found).toEqual({ notification: next, appointment, customer: aProfile(appointment) });
    expect(await deliveryEventsOf(store, next)).toEqual(events);
  }),
  it('a commit without an appointment may add, and one may add many', async (store, organizationId) => {
    const all = Array.from({ length: 300 }, (_, index) =>
      notification({ organizationId, id: `n-${`${index}`.padStart(3, '0')}` }),
    );
    await commitAll(store, adding(...all));
    const ids = all.map(({ id }) => id);
    expect(await listedNotificationIds(store, notificationQuery(organizationId))).toEqual(ids);
  }),
  it('empty lists of changes change nothing', async (store, organizationId) => {
    const row = notification({ organizationId });
    await commitAll(store, adding(row), notifying(organizationId, { cancel: [], add: [] }));
    await commitAll(store, notifying(organizationId, {}));
    await expectNotifications(store, row);
  }),
  it('cancel, add and update of one commit: what is added is not cancelled', async (store, organizationId) => {
    const old = notification({ organizationId, id: 'n-1' });
    const other = notification({ organizationId, id: 'n-2', appointmentId: 'other' });
    const fresh = notification({ organizationId, id: 'n-3' });
    const failing = changed(other, { phase: 'DONE', status: 'FAILED', wakeAt: null });
    await commitAll(store, adding(old, other));
    const cancel = [{ appointmentId: 'appointment-1', message: 'Moved.', at: fixtureStart }];
    await commitAll(store, notifying(organizationId, { cancel, add: [written(fresh)], update: failing }));
    expect((await store.notifications.find(organizationId, old.id))?.notification.status).toEqual('CANCELLED');
    await expectNotifications(store, fresh, failing.next);
  }),
  { rule: 'dedupe-key' },
  it('one whose dedupeKey is taken is left out with its events, and the rest is written', async (store, organizationId) => {
    const first = notification({ organizationId, id: 'n-1', dedupeKey: 'taken' });
    const done = notificationIn('DONE', { organizationId, id: 'n-2', dedupeKey: 'taken by one that is done' });
    await commitAll(store, adding(first, done));
    const again = notification({ organizationId, id: 'n-3', dedupeKey: first.dedupeKey, type: 'ROOM' });
    const later = notification({ organizationId, id: 'n-4', dedupeKey: done.dedupeKey });
    const fresh = notification({ organizationId, id: 'n-5' });
    await commitAll(store, adding(again, fresh, later));
    await expectNotifications(store, first, done, fresh);
    expect(await store.notifications.find(organizationId, again.id)).toEqual(undefined);
    expect(await store.notifications.find(organizationId, later.id)).toEqual(undefined);
    expect(await deliveryEventsOf(store, again)).toEqual([]);
    expect(await deliveryEventsOf(store, first)).toEqual([deliveryEvent()]);
  }),
  it('the same row again, as after a lost answer, is left out', async (store, organizationId) => {
    const row = notification({ organizationId });
    const delivered = changed(row, { phase: 'DONE', status: 'DELIVERED', wakeAt: null });
    await commitAll(store, adding(row));
    expect(await store.notifications.settle([delivered])).toEqual([true]);
    await commitAll(store, adding(row));
    await expectNotifications(store, delivered.next);
    expect(await deliveryEventsOf(store, row)).toEqual([deliveryEvent(), ...delivered.events]);
  }),
  it('of two with the same dedupeKey in one commit the first is written', async (store, organizationId) => {
    const [first, second, third] = ['n-1', 'n-2', 'n-3'].map((id) => notification({ organizationId, id }));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    await commitAll(store, adding(first, { ...second, dedupeKey: first.dedupeKey }, third));
    expect(await listedNotificationIds(store, notificationQuery(organizationId))).toEqual(['n-1', 'n-3']);
    await expectNotifications(store, first, third);
  }),
  it('a dedupeKey of another organization is not taken', async (store, organizationId, context) => {
    const mine = notification({ organizationId, id: 'n-1', dedupeKey: 'key' });
    const theirs = notification({ organizationId: context.organization('other'), id: 'n-2', dedupeKey: 'key' });
    await commitAll(store, adding(mine), adding(theirs));
    await expectNotifications(store, mine, theirs);
  }),
  { rule: 'revisions' },
  it('an update with the expected revision is written with its events', async (store, organizationId) => {
    const failed = notificationIn('DONE', { organizationId, status: 'FAILED', errorMessage: 'No.' });
    const retried = changed(
      failed,
      { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart, nextRetryAt: fixtureStart, manualRetries: 1 },
      { message: 'manual retry by agent-1' },
    );
    await commitAll(store, adding(failed), notifying(organizationId, { update: retried }));
    await expectNotifications(store, retried.next);
    expect(await deliveryEventsOf(store, failed)).toEqual([deliveryEvent(), ...retried.events]);
  }),
  it('an update of another revision, an unknown or a foreign notification is stale, and nothing is written', async (store, organizationId, context) => {
    const row = notification({ organizationId });
    const ready = notification({ organizationId, id: 'ready' });
    const sending = notificationIn('SENDING', { organizationId, id: 'sending' });
    const added = notification({ organizationId, id: 'added' });
    await commitAll(store, adding(row, ready, sending));
    const appointment = aScheduledAppointment({ organizationId });
    const cancellation = { appointmentId: 'appointment-1', message: 'Over.', at: fixtureStart };
    for (const [scope, next] of [
      [organizationId, notification({ organizationId, revision: 2 })],
      [organizationId, notification({ organizationId, revision: 0 })],
      [organizationId, notification({ organizationId, id: 'unknown' })],
      [context.organization('foreign'), notification({ organizationId: context.organization('foreign') })],
    ] as const) {
      const written = aScheduledAppointment({ organizationId: scope });
      const notifications = {
        cancel: [{ ...cancellation, types: ['CREATE' as const], addresseeId: 'customer-1' }],
        add: [{ next: { ...added, organizationId: scope }, events: [deliveryEvent()] }],
        update: changed(next, { phase: 'DONE', status: 'FAILED', wakeAt: null }),
      };
      await expectStale(store, insertion(written, { notifications, events: [anEvent(written)] }));
      expect(await store.appointments.find(scope, appointment.id)).toEqual(undefined);
      expect(await store.events.list({ organizationId: scope, appointmentId: appointment.id })).toEqual([]);
      expect(await store.notifications.find(scope, added.id)).toEqual(undefined);
    }
    await expectNotifications(store, row, ready, sending);
    for (const untouched of [row, ready, sending]) {
      expect(await deliveryEventsOf(store, untouched)).toEqual([deliveryEvent()]);
    }
  }),
  { rule: 'all-or-nothing' },
  it('a commit that is refused or fails adds, cancels and updates nothing', async (store, organizationId) => {
    const first = aScheduledAppointment({ organizationId });
    const row = notification({ organizationId, id: 'n-1', appointmentId: 'other' });
    const ready = notification({ organizationId, id: 'n-2' });
    const sending = notificationIn('SENDING', { organizationId, id: 'n-3' });
    const event = anEvent(first);
    await commitAll(store, insertion(first, { events: [event] }), adding(row, ready, sending));
    const notifications = {
      cancel: [{ appointmentId: first.id, message: 'Over.', at: fixtureStart }],
      add: [written(notification({ organizationId, id: 'n-4' }))],
      update: changed(row, { phase: 'DONE', status: 'FAILED', wakeAt: null }),
    };
    const free = aScheduledAppointment({ organizationId, id: 'free' });
    const guard = { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + hour } };
    const request = aRequest(organizationId);
    await commitAll(store, completing(request));
    for (const [change, status] of [
      [insertion(first, { notifications }), 'stale'],
      [update({ ...first, version: 7 }, { notifications }), 'stale'],
      [removal({ ...first, version: 2 }, { notifications }), 'stale'],
      [insertion(free, { notifications, guard }), 'slotConflict'],
      [update(nextVersion(first), { notifications, request }), 'requestLost'],
    ] as const) {
      expect((await store.commit(change)).status).toEqual(status);
    }
    await assert.rejects(store.commit(update(nextVersion(first), { notifications, events: [event] })));
    await expectNotifications(store, row, ready, sending);
    expect(await listedNotificationIds(store, notificationQuery(organizationId))).toEqual(['n-1', 'n-2', 'n-3']);
    for (const untouched of [row, ready, sending]) {
      expect(await deliveryEventsOf(store, untouched)).toEqual([deliveryEvent()]);
    }
  }),
  { rule: 'removal' },
  it('a removed appointment leaves its notifications and their events', async (store, organizationId) => {
    const appointment = aScheduledAppointment({ organizationId });
    const before = notification({ organizationId, id: 'n-1' });
    const farewell = notification({ organizationId, id: 'n-2', type: 'CANCELLED', kept: '{"appointment":{}}' });
    const notifications = { add: [written(farewell)] };
    await commitAll(
      store,
      insertion(appointment, {
        customers: [aProfile(appointment)],
        notifications: { add: [written(before)] },
      }),
      removal(appointment, { notifications }),
    );
    for (const row of [before, farewell]) {
      const found = await store.notifications.find(organizationId, row.id);
      expect(found).toEqual({ notification: row, appointment: undefined, customer: undefined });
      expect(await deliveryEventsOf(store, row)).toEqual([deliveryEvent()]);
    }
  }),
]);
