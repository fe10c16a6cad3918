import assert from 'node:assert/strict';
import type {
  NotificationEventSortField,
  NotificationState,
  NotificationQuery,
  NotificationScope,
} from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { commitAll, deliveryEventsOf, expect, listedEventIds } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, changed, deliveryEvent, notification, written } from '../fixtures/notifications.js';

type Filters = Partial<NotificationQuery<NotificationEventSortField>>;

/** What happened to the notification: its states, a millisecond apart from the given instant on. */
const story = (from: number, ...states: readonly NotificationState[]) =>
  states.map((status, index) => deliveryEvent({ number: index + 1, timestamp: from + index, status }));

export const deliveryEventsGroup = group('delivery events are listed as asked', [
  { rule: 'filters' },
  it('by type and channel of their notification, and by their own status and time', async (store, a) => {
    const mail = a.notification({ id: 'n-1', type: 'ROOM', eventCount: 3 });
    const hook = a.notification({ id: 'n-2', channel: 'WEBHOOKS', eventCount: 2, createdAt: 5 });
    await commitAll(
      store,
      a.notifying({
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
      expect(await listedEventIds(store, a.deliveryEventQuery(filters))).toEqual(expected, name);
      const page = await store.notifications.listEvents(a.deliveryEventQuery({ ...filters, pageSize: 1 }));
      expect(page.total).toEqual(expected.length, name);
    }
  }),
  { rule: 'organization-first' },
  it('of one application of one organization', async (store, a) => {
    const mine = a.notification();
    const elsewhere = a.notification({ id: 'n-2', applicationId: 'app-2' });
    const foreign = a.of('other').notification();
    await commitAll(store, adding(mine, elsewhere), adding(foreign));
    const expected = ['notification-1-000001'];
    expect(await listedEventIds(store, a.deliveryEventQuery())).toEqual(expected);
    const second = a.deliveryEventQuery({ applicationId: 'app-2' });
    expect(await listedEventIds(store, second)).toEqual(['n-2-000001']);
    const third = a.of('other').deliveryEventQuery({ applicationId: 'app-2' });
    expect(await store.notifications.listEvents(third)).toEqual({ items: [], total: 0 });
  }),
  { rule: 'lookups' },
  it('a notification without events has none, and one with many has them all by number', async (store, a) => {
    const silent = a.notification({ id: 'n-1', eventCount: 0 });
    const busy = a.notification({ id: 'n-2', eventCount: 120 });
    await commitAll(store, adding(silent, busy));
    expect(await deliveryEventsOf(store, silent)).toEqual([]);
    expect((await deliveryEventsOf(store, busy)).map(({ number }) => number)).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
  }),
  { rule: 'beside' },
  it('each with its notification as it is now and the profile of its customer', async (store, a) => {
    const appointment = a.scheduled();
    const row = a.notification({ id: 'n-1' });
    const addressee = { type: 'SYSTEM' as const, id: 'customer-1', label: 'CRM' };
    const hook = a.notification({ id: 'n-2', channel: 'WEBHOOKS', addressee });
    const settled = changed(row, { phase: 'DONE', status: 'DELIVERED', wakeAt: null }, { messageId: 'm-1' });
    await commitAll(
      store,
      insertion(appointment, { customers: [a.profile(appointment, { firstName: 'Anna' })] }),
      adding(row, hook),
      update(nextVersion(appointment), { customers: [a.profile(appointment, { firstName: 'Bert' })] }),
    );
    expect(await store.notifications.settle([settled])).toEqual([true]);
    const { items } = await store.notifications.listEvents(a.deliveryEventQuery());
    expect(items.map(({ event }) => event)).toEqual([deliveryEvent(), ...settled.events, deliveryEvent()]);
    expect(items.map((item) => item.notification)).toEqual([settled.next, settled.next, hook]);
    expect(items.map((item) => item.customer?.firstName)).toEqual(['Bert', 'Bert', undefined]);
  }),
  { rule: 'scopes' },
  it('scopes: everything, what has a record, and what the agent organizes or is assigned to (D60)', async (store, a) => {
    const organized = a.scheduled({ id: 'a-1', organizerId: 'anna', agentIds: ['anna'] });
    const assigned = a.scheduled({ id: 'a-2', organizerId: 'bert', agentIds: ['anna'] });
    const gone = a.scheduled({ id: 'a-3', organizerId: 'anna' });
    const rows = [1, 2, 3].map((place) =>
      a.notification({ id: `n-${place}`, appointmentId: `a-${place}`, eventCount: 2 }),
    );
    await commitAll(store, insertion(organized), insertion(assigned), insertion(gone), adding(...rows), removal(gone));
    const listed = (scope: NotificationScope) =>
      listedEventIds(store, a.deliveryEventQuery({ scope, statuses: ['INITIALIZED'] }));
    const [first, second, third] = rows.map(({ id }) => [`${id}-000001`, `${id}-000002`]);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    expect(await listed({ kind: 'all' })).toEqual([...first, ...second, ...third]);
    expect(await listed({ kind: 'existing' })).toEqual([...first, ...second]);
    expect(await listed({ kind: 'ofAgent', agentId: 'anna' })).toEqual([...first, ...second]);
    expect(await listed({ kind: 'ofAgent', agentId: 'bert' })).toEqual(second);
    expect(await listed({ kind: 'ofAgent', agentId: 'customer-1' })).toEqual([]);
  }),
]);
