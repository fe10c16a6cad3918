import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { deliveryEventsOf, expect, listedNotificationIds } from '../expectations.js';
import { fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, cancellation, changed, delivered, deliveryEvent, written } from '../fixtures/notifications.js';
import { completing } from '../fixtures/requests.js';
import { commitAll, numbers } from '../steps.js';

export const notificationPlanningGroup = group('notifications are written with the commit that causes them', [
  { rule: 'notification-changes' },
  it('what an insert adds is found with its events, the appointment and the profile', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const next = a.notification({ eventCount: 2 });
    const events = [deliveryEvent(), deliveryEvent({ number: 2, timestamp: fixtureStart, message: 'Two.' })];
    const notifications = { add: [written(next, events)] };
    await commitAll(store, insertion(appointment, { customers: [a.profile(appointment)], notifications }));
    const found = await store.notifications.find(organizationId, next.id);
    expect(found).toEqual({ notification: next, appointment, customer: a.profile(appointment) });
    expect(await deliveryEventsOf(store, next)).toEqual(events);
  }),
  it('a commit without an appointment may add, and one may add many', async (store, a) => {
    const all = numbers(300).map((index) => a.notification({ id: `n-${`${index}`.padStart(3, '0')}` }));
    await commitAll(store, adding(...all));
    const ids = all.map(({ id }) => id);
    expect(await listedNotificationIds(store, a.notificationQuery())).toEqual(ids);
  }),
  it('empty lists of changes change nothing', async (store, a) => {
    const row = a.notification();
    await commitAll(store, adding(row), a.notifying({ cancel: [], add: [] }));
    await commitAll(store, a.notifying({}));
    await expect.notifications(store, row);
  }),
  it('cancel, add and update of one commit: what is added is not cancelled', async (store, a, organizationId) => {
    const old = a.notification({ id: 'n-1' });
    const other = a.notification({ id: 'n-2', appointmentId: 'other' });
    const fresh = a.notification({ id: 'n-3' });
    const failing = changed(other, { phase: 'DONE', status: 'FAILED', wakeAt: null });
    await commitAll(store, adding(old, other));
    const cancel = [cancellation()];
    await commitAll(store, a.notifying({ cancel, add: [written(fresh)], update: failing }));
    expect((await store.notifications.find(organizationId, old.id))?.notification.status).toEqual('CANCELLED');
    await expect.notifications(store, fresh, failing.next);
  }),
  { rule: 'dedupe-key' },
  it('a notification whose dedupeKey is taken is left out with its events, and the rest is written', async (store, a, organizationId) => {
    const first = a.notification({ id: 'n-1', dedupeKey: 'taken' });
    const done = a.notificationIn('DONE', { id: 'n-2', dedupeKey: 'taken by one that is done' });
    await commitAll(store, adding(first, done));
    const again = a.notification({ id: 'n-3', dedupeKey: first.dedupeKey, type: 'ROOM' });
    const later = a.notification({ id: 'n-4', dedupeKey: done.dedupeKey });
    const fresh = a.notification({ id: 'n-5' });
    await commitAll(store, adding(again, fresh, later));
    await expect.notifications(store, first, done, fresh);
    expect(await store.notifications.find(organizationId, again.id)).toEqual(undefined);
    expect(await store.notifications.find(organizationId, later.id)).toEqual(undefined);
    expect(await deliveryEventsOf(store, again)).toEqual([]);
    expect(await deliveryEventsOf(store, first)).toEqual([deliveryEvent()]);
  }),
  it('the same row again, as after a lost answer, is left out', async (store, a) => {
    const row = a.notification();
    const arrived = changed(row, delivered);
    await commitAll(store, adding(row));
    expect(await store.notifications.settle([arrived])).toEqual([true]);
    await commitAll(store, adding(row));
    await expect.updated(store, arrived);
  }),
  it('of two notifications with the same dedupeKey in one commit the first is written', async (store, a) => {
    const [first, second, third] = ['n-1', 'n-2', 'n-3'].map((id) => a.notification({ id }));
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    await commitAll(store, adding(first, { ...second, dedupeKey: first.dedupeKey }, third));
    expect(await listedNotificationIds(store, a.notificationQuery())).toEqual(['n-1', 'n-3']);
    await expect.notifications(store, first, third);
  }),
  it('a dedupeKey of another organization is not taken', async (store, a) => {
    const mine = a.notification({ id: 'n-1', dedupeKey: 'key' });
    const theirs = a.of('other').notification({ id: 'n-2', dedupeKey: 'key' });
    await commitAll(store, adding(mine), adding(theirs));
    await expect.notifications(store, mine, theirs);
  }),
  { rule: 'revisions' },
  it('an update with the expected revision is written with its events', async (store, a) => {
    const failed = a.notificationIn('DONE', { status: 'FAILED', errorMessage: 'No.' });
    const waiting = { phase: 'RETRY_WAIT', wakeAt: fixtureStart, nextRetryAt: fixtureStart, manualRetries: 1 } as const;
    const retried = changed(failed, { ...waiting, status: 'PENDING' }, { message: 'manual retry by agent-1' });
    await commitAll(store, adding(failed), a.notifying({ update: retried }));
    await expect.updated(store, retried);
  }),
  it('an update of another revision, an unknown or a foreign notification is stale, and nothing is written', async (store, a, organizationId) => {
    const row = a.notification();
    const ready = a.notification({ id: 'ready' });
    const sending = a.notificationIn('SENDING', { id: 'sending' });
    const added = a.notification({ id: 'added' });
    await commitAll(store, adding(row, ready, sending));
    const appointment = a.scheduled();
    for (const [scope, next] of [
      [organizationId, a.notification({ revision: 2 })],
      [organizationId, a.notification({ revision: 0 })],
      [organizationId, a.notification({ id: 'unknown' })],
      [a.of('foreign').organizationId, a.of('foreign').notification()],
    ] as const) {
      const written = a.scheduled({ organizationId: scope });
      const notifications = {
        cancel: [cancellation({ types: ['CREATE'], addresseeId: 'customer-1' })],
        add: [{ next: { ...added, organizationId: scope }, events: [deliveryEvent()] }],
        update: changed(next, { phase: 'DONE', status: 'FAILED', wakeAt: null }),
      };
      await expect.stale(store, insertion(written, { notifications, events: [a.event(written)] }));
      expect(await store.appointments.find(scope, appointment.id)).toEqual(undefined);
      expect(await store.events.list({ organizationId: scope, appointmentId: appointment.id })).toEqual([]);
      expect(await store.notifications.find(scope, added.id)).toEqual(undefined);
    }
    await expect.updated(store, ...[row, ready, sending].map((next) => ({ next, events: [] })));
  }),
  { rule: 'all-or-nothing' },
  it('a commit that is refused or fails adds, cancels and updates nothing', async (store, a) => {
    const first = a.scheduled();
    const row = a.notification({ id: 'n-1', appointmentId: 'other' });
    const ready = a.notification({ id: 'n-2' });
    const sending = a.notificationIn('SENDING', { id: 'n-3' });
    const event = a.event(first);
    await commitAll(store, insertion(first, { events: [event] }), adding(row, ready, sending));
    const notifications = {
      cancel: [cancellation()],
      add: [written(a.notification({ id: 'n-4' }))],
      update: changed(row, { phase: 'DONE', status: 'FAILED', wakeAt: null }),
    };
    const free = a.scheduled({ id: 'free' });
    const guard = { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + hour } };
    const request = a.request();
    await commitAll(store, completing(request));
    for (const [change, status] of [
      [insertion(first, { notifications }), 'stale'],
      [update({ ...first, version: 7 }, { notifications, before: first }), 'stale'],
      [removal({ ...first, version: 2 }, { notifications }), 'stale'],
      [insertion(free, { notifications, guard }), 'slotConflict'],
      [update(nextVersion(first), { notifications, request }), 'requestLost'],
    ] as const) {
      expect((await store.commit(change)).status).toEqual(status);
    }
    await assert.rejects(store.commit(update(nextVersion(first), { notifications, events: [event] })));
    await expect.notifications(store, row, ready, sending);
    expect(await listedNotificationIds(store, a.notificationQuery())).toEqual(['n-1', 'n-2', 'n-3']);
    await expect.updated(store, ...[row, ready, sending].map((next) => ({ next, events: [] })));
  }),
  { rule: 'removal' },
  it('a removed appointment leaves its notifications and their events', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const before = a.notification({ id: 'n-1' });
    const farewell = a.notification({ id: 'n-2', type: 'CANCELLED', kept: '{"appointment":{}}' });
    const notifications = { add: [written(farewell)] };
    await commitAll(
      store,
      insertion(appointment, { customers: [a.profile(appointment)], notifications: { add: [written(before)] } }),
      removal(appointment, { notifications }),
    );
    for (const row of [before, farewell]) {
      const found = await store.notifications.find(organizationId, row.id);
      expect(found).toEqual({ notification: row, appointment: undefined, customer: undefined });
      expect(await deliveryEventsOf(store, row)).toEqual([deliveryEvent()]);
    }
  }),
]);
