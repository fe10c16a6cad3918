import assert from 'node:assert/strict';
import type {
  NotificationEventSortField,
  NotificationQuery,
  NotificationScope,
  NotificationState,
} from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, deliveryEventsOf, listedEventIds } from '../expectations.js';
import { aScheduledAppointment, fixtureStart } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { deliveryEventQuery } from '../fixtures/notification-query.js';
import { adding, changed, deliveryEvent, notification, notifying, written } from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';

type Filters = Partial<NotificationQuery<NotificationEventSortField>>;

/** What happened to the notification: its states, a millisecond apart from the given instant on. */
const story = (from: number, ...states: readonly NotificationState[]) =>
  states.map((status, index) => deliveryEvent({ number: index + 1, timestamp: from + index, status }));

export const deliveryEventsGroup: ConformanceGroup = {
  name: 'delivery events are listed as asked',
  cases: [
    {
      name: 'by type and channel of their notification, and by their own status and time',
      async run({ store, organizationId }) {
        const mail = notification({ organizationId, id: 'n-1', type: 'ROOM', eventCount: 3 });
        const hook = notification({ organizationId, id: 'n-2', channel: 'WEBHOOKS', eventCount: 2, createdAt: 5 });
        await commitAll(
          store,
          notifying(organizationId, {
            add: [
              written(mail, story(fixtureStart, 'INITIALIZED', 'PENDING', 'FAILED')),
              written(hook, story(fixtureStart + 10, 'INITIALIZED', 'CANCELLED')),
            ],
          }),
        );
        const [first, second, third] = ['n-1-000001', 'n-1-000002', 'n-1-000003'];
        const [fourth, fifth] = ['n-2-000001', 'n-2-000002'];
        const asked: readonly (readonly [Filters, readonly (string | undefined)[]])[] = [
          [{}, [first, second, third, fourth, fifth]],
          [{ types: ['ROOM'] }, [first, second, third]],
          [{ types: ['CREATE', 'UPDATE'] }, [fourth, fifth]],
          [{ types: [] }, []],
          [{ channels: ['EMAIL'] }, [first, second, third]],
          [{ channels: ['WEBHOOKS', 'SMS'] }, [fourth, fifth]],
          [{ channels: [] }, []],
          [{ statuses: ['INITIALIZED'] }, [first, fourth]],
          [{ statuses: ['PENDING', 'CANCELLED'] }, [second, fifth]],
          [{ statuses: ['DELIVERED'] }, []],
          [{ statuses: [] }, []],
          [{ from: fixtureStart + 1, to: fixtureStart + 10 }, [second, third]],
          [{ from: fixtureStart + 10 }, [fourth, fifth]],
          [{ to: fixtureStart + 1 }, [first]],
          [{ from: 0, to: fixtureStart }, []],
          [{ statuses: ['INITIALIZED'], channels: ['EMAIL'], to: fixtureStart + 99 }, [first]],
        ];
        for (const [filters, expected] of asked) {
          const name = JSON.stringify(filters);
          assert.deepEqual(await listedEventIds(store, deliveryEventQuery(organizationId, filters)), expected, name);
          const page = await store.listDeliveryEvents(deliveryEventQuery(organizationId, { ...filters, pageSize: 1 }));
          assert.equal(page.total, expected.length, name);
        }
      },
    },
    {
      name: 'each with its notification as it is now and the profile of its customer',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId });
        const row = notification({ organizationId, id: 'n-1' });
        const addressee = { type: 'SYSTEM' as const, id: 'customer-1', label: 'CRM' };
        const hook = notification({ organizationId, id: 'n-2', channel: 'WEBHOOKS', addressee });
        const settled = changed(row, { phase: 'DONE', status: 'DELIVERED', wakeAt: null }, { messageId: 'm-1' });
        await commitAll(
          store,
          insertion(appointment, { customers: [aProfile(appointment, { firstName: 'Anna' })] }),
          adding(row, hook),
          update(nextVersion(appointment), { customers: [aProfile(appointment, { firstName: 'Bert' })] }),
        );
        assert.deepEqual(await store.settleNotifications([settled]), [true]);
        const { items } = await store.listDeliveryEvents(deliveryEventQuery(organizationId));
        assert.deepStrictEqual(
          items.map(({ event }) => event),
          [deliveryEvent(), ...settled.events, deliveryEvent()],
        );
        assert.deepStrictEqual(
          items.map((item) => item.notification),
          [settled.next, settled.next, hook],
        );
        assert.deepEqual(
          items.map((item) => item.customer?.firstName),
          ['Bert', 'Bert', undefined],
        );
      },
    },
    {
      name: 'of one application of one organization',
      async run({ store, organizationId, organization }) {
        const mine = notification({ organizationId });
        const elsewhere = notification({ organizationId, id: 'n-2', applicationId: 'app-2' });
        const foreign = notification({ organizationId: organization('other') });
        await commitAll(store, adding(mine, elsewhere), adding(foreign));
        const expected = ['notification-1-000001'];
        assert.deepEqual(await listedEventIds(store, deliveryEventQuery(organizationId)), expected);
        const second = deliveryEventQuery(organizationId, { applicationId: 'app-2' });
        assert.deepEqual(await listedEventIds(store, second), ['n-2-000001']);
        const third = deliveryEventQuery(organization('other'), { applicationId: 'app-2' });
        assert.deepEqual(await store.listDeliveryEvents(third), { items: [], total: 0 });
      },
    },
    {
      name: 'scopes: everything, what has a record, and what the agent organizes or is assigned to (D60)',
      async run({ store, organizationId }) {
        const organized = aScheduledAppointment({ organizationId, id: 'a-1', organizerId: 'anna', agentIds: ['anna'] });
        const assigned = aScheduledAppointment({ organizationId, id: 'a-2', organizerId: 'bert', agentIds: ['anna'] });
        const gone = aScheduledAppointment({ organizationId, id: 'a-3', organizerId: 'anna' });
        const rows = [1, 2, 3].map((place) =>
          notification({ organizationId, id: `n-${place}`, appointmentId: `a-${place}`, eventCount: 2 }),
        );
        await commitAll(
          store,
          insertion(organized),
          insertion(assigned),
          insertion(gone),
          adding(...rows),
          removal(gone),
        );
        const listed = (scope: NotificationScope) =>
          listedEventIds(store, deliveryEventQuery(organizationId, { scope, statuses: ['INITIALIZED'] }));
        const [first, second, third] = rows.map(({ id }) => [`${id}-000001`, `${id}-000002`]);
        assert.ok(first !== undefined && second !== undefined && third !== undefined);
        assert.deepEqual(await listed({ kind: 'all' }), [...first, ...second, ...third]);
        assert.deepEqual(await listed({ kind: 'existing' }), [...first, ...second]);
        assert.deepEqual(await listed({ kind: 'ofAgent', agentId: 'anna' }), [...first, ...second]);
        assert.deepEqual(await listed({ kind: 'ofAgent', agentId: 'bert' }), second);
        assert.deepEqual(await listed({ kind: 'ofAgent', agentId: 'customer-1' }), []);
      },
    },
    {
      name: 'a notification without events has none, and one with many has them all by number',
      async run({ store, organizationId }) {
        const silent = notification({ organizationId, id: 'n-1', eventCount: 0 });
        const busy = notification({ organizationId, id: 'n-2', eventCount: 120 });
        await commitAll(store, adding(silent, busy));
        assert.deepEqual(await deliveryEventsOf(store, silent), []);
        assert.deepEqual(
          (await deliveryEventsOf(store, busy)).map(({ number }) => number),
          Array.from({ length: 120 }, (_, index) => index + 1),
        );
      },
    },
  ],
};
