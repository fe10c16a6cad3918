import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import {
  commitAll,
  deliveryEventsOf,
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

export const notificationPlanningGroup: ConformanceGroup = {
  name: 'notifications are written with the commit that causes them',
  cases: [
    {
      name: 'what an insert adds is found with its events, the appointment and the profile',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId });
        const next = notification({ organizationId, eventCount: 2 });
        const events = [deliveryEvent(), deliveryEvent({ number: 2, timestamp: fixtureStart, message: 'Two.' })];
        const notifications = { add: [written(next, events)] };
        await commitAll(store, insertion(appointment, { customers: [aProfile(appointment)], notifications }));
        const found = await store.findNotification(organizationId, next.id);
        assert.deepStrictEqual(found?.notification, next);
        assert.deepStrictEqual(found.appointment, appointment);
        assert.deepStrictEqual(found.customer, aProfile(appointment));
        assert.deepStrictEqual(await deliveryEventsOf(store, next), events);
      },
    },
    {
      name: 'a commit without an appointment may add, and one may add many',
      async run({ store, organizationId }) {
        const all = Array.from({ length: 300 }, (_, index) =>
          notification({ organizationId, id: `n-${`${index}`.padStart(3, '0')}` }),
        );
        await commitAll(store, adding(...all));
        const ids = all.map(({ id }) => id);
        assert.deepEqual(await listedNotificationIds(store, notificationQuery(organizationId)), ids);
      },
    },
    {
      name: 'empty lists of changes change nothing',
      async run({ store, organizationId }) {
        const row = notification({ organizationId });
        await commitAll(store, adding(row), notifying(organizationId, { cancel: [], add: [] }));
        await commitAll(store, notifying(organizationId, {}));
        await expectNotifications(store, row);
      },
    },
    {
      name: 'one whose dedupeKey is taken is left out with its events, and the rest is written',
      async run({ store, organizationId }) {
        const first = notification({ organizationId, id: 'n-1', dedupeKey: 'taken' });
        const done = notificationIn('DONE', { organizationId, id: 'n-2', dedupeKey: 'taken by one that is done' });
        await commitAll(store, adding(first, done));
        const again = notification({ organizationId, id: 'n-3', dedupeKey: first.dedupeKey, type: 'ROOM' });
        const later = notification({ organizationId, id: 'n-4', dedupeKey: done.dedupeKey });
        const fresh = notification({ organizationId, id: 'n-5' });
        await commitAll(store, adding(again, fresh, later));
        await expectNotifications(store, first, done, fresh);
        assert.equal(await store.findNotification(organizationId, again.id), undefined);
        assert.equal(await store.findNotification(organizationId, later.id), undefined);
        assert.deepEqual(await deliveryEventsOf(store, again), []);
        assert.deepEqual(await deliveryEventsOf(store, first), [deliveryEvent()]);
      },
    },
    {
      name: 'the same row again, as after a lost answer, is left out',
      async run({ store, organizationId }) {
        const row = notification({ organizationId });
        const delivered = changed(row, { phase: 'DONE', status: 'DELIVERED', wakeAt: null });
        await commitAll(store, adding(row));
        assert.deepEqual(await store.settleNotifications([delivered]), [true]);
        await commitAll(store, adding(row));
        await expectNotifications(store, delivered.next);
        assert.deepEqual(await deliveryEventsOf(store, row), [deliveryEvent(), ...delivered.events]);
      },
    },
    {
      name: 'of two with the same dedupeKey in one commit the first is written',
      async run({ store, organizationId }) {
        const [first, second, third] = ['n-1', 'n-2', 'n-3'].map((id) => notification({ organizationId, id }));
        assert.ok(first !== undefined && second !== undefined && third !== undefined);
        await commitAll(store, adding(first, { ...second, dedupeKey: first.dedupeKey }, third));
        assert.deepEqual(await listedNotificationIds(store, notificationQuery(organizationId)), ['n-1', 'n-3']);
        await expectNotifications(store, first, third);
      },
    },
    {
      name: 'a dedupeKey of another organization is not taken',
      async run({ store, organizationId, organization }) {
        const mine = notification({ organizationId, id: 'n-1', dedupeKey: 'key' });
        const theirs = notification({ organizationId: organization('other'), id: 'n-2', dedupeKey: 'key' });
        await commitAll(store, adding(mine), adding(theirs));
        await expectNotifications(store, mine, theirs);
      },
    },
    {
      name: 'an update with the expected revision is written with its events',
      async run({ store, organizationId }) {
        const failed = notificationIn('DONE', { organizationId, status: 'FAILED', errorMessage: 'No.' });
        const retried = changed(
          failed,
          { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart, nextRetryAt: fixtureStart, manualRetries: 1 },
          { message: 'manual retry by agent-1' },
        );
        await commitAll(store, adding(failed), notifying(organizationId, { update: retried }));
        await expectNotifications(store, retried.next);
        assert.deepStrictEqual(await deliveryEventsOf(store, failed), [deliveryEvent(), ...retried.events]);
      },
    },
    {
      name: 'an update of another revision, an unknown or a foreign notification is stale, and nothing is written',
      async run({ store, organizationId, organization }) {
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
          [organization('foreign'), notification({ organizationId: organization('foreign') })],
        ] as const) {
          const written = aScheduledAppointment({ organizationId: scope });
          const notifications = {
            cancel: [{ ...cancellation, types: ['CREATE' as const], addresseeId: 'customer-1' }],
            add: [{ next: { ...added, organizationId: scope }, events: [deliveryEvent()] }],
            update: changed(next, { phase: 'DONE', status: 'FAILED', wakeAt: null }),
          };
          await expectStale(store, insertion(written, { notifications, events: [anEvent(written)] }));
          assert.equal(await store.findAppointment(scope, appointment.id), undefined);
          assert.deepEqual(await store.listEvents({ organizationId: scope, appointmentId: appointment.id }), []);
          assert.equal(await store.findNotification(scope, added.id), undefined);
        }
        await expectNotifications(store, row, ready, sending);
        for (const untouched of [row, ready, sending]) {
          assert.deepEqual(await deliveryEventsOf(store, untouched), [deliveryEvent()]);
        }
      },
    },
    {
      name: 'a commit that is refused or fails adds, cancels and updates nothing',
      async run({ store, organizationId }) {
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
          assert.equal((await store.commit(change)).status, status);
        }
        await assert.rejects(store.commit(update(nextVersion(first), { notifications, events: [event] })));
        await expectNotifications(store, row, ready, sending);
        assert.deepEqual(await listedNotificationIds(store, notificationQuery(organizationId)), ['n-1', 'n-2', 'n-3']);
        for (const untouched of [row, ready, sending]) {
          assert.deepEqual(await deliveryEventsOf(store, untouched), [deliveryEvent()]);
        }
      },
    },
    {
      name: 'cancel, add and update of one commit: what is added is not cancelled',
      async run({ store, organizationId }) {
        const old = notification({ organizationId, id: 'n-1' });
        const other = notification({ organizationId, id: 'n-2', appointmentId: 'other' });
        const fresh = notification({ organizationId, id: 'n-3' });
        const failing = changed(other, { phase: 'DONE', status: 'FAILED', wakeAt: null });
        await commitAll(store, adding(old, other));
        const cancel = [{ appointmentId: 'appointment-1', message: 'Moved.', at: fixtureStart }];
        await commitAll(store, notifying(organizationId, { cancel, add: [written(fresh)], update: failing }));
        assert.equal((await store.findNotification(organizationId, old.id))?.notification.status, 'CANCELLED');
        await expectNotifications(store, fresh, failing.next);
      },
    },
    {
      name: 'a removed appointment leaves its notifications and their events',
      async run({ store, organizationId }) {
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
          const found = await store.findNotification(organizationId, row.id);
          assert.deepStrictEqual(found?.notification, row);
          assert.equal(found.appointment, undefined);
          assert.equal(found.customer, undefined);
          assert.deepEqual(await deliveryEventsOf(store, row), [deliveryEvent()]);
        }
      },
    },
  ],
};
