import type { NotificationState } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { eventList, expectListed, ofOneApplication, scopes } from './both-lists.js';
import { deliveryEventsOf, expect } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { adding, changed, delivered, deliveryEvent, written } from '../fixtures/notifications.js';
import { commitAll, numbers } from '../steps.js';

/** What happened to the notification: its states, a millisecond apart from the given instant on. */
const story = (from: number, ...states: readonly NotificationState[]) =>
  states.map((status, index) => deliveryEvent({ number: index + 1, timestamp: from + index, status }));

export const deliveryEventsGroup = group('delivery events are listed as asked', [
  { rule: 'filters' },
  it('delivery events are listed by type and channel of their notification, and by their own status and time', async (store, a) => {
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
    const [first, second, third] = ['n-1-000001', 'n-1-000002', 'n-1-000003'] as const;
    const [fourth, fifth] = ['n-2-000001', 'n-2-000002'] as const;
    await expectListed(store, a, eventList, [
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
    ]);
  }),
  { rule: 'organization-first' },
  ofOneApplication(eventList),
  { rule: 'lookups' },
  it('a notification without events has none, and one with many has them all by number', async (store, a) => {
    const silent = a.notification({ id: 'n-1', eventCount: 0 });
    const busy = a.notification({ id: 'n-2', eventCount: 120 });
    await commitAll(store, adding(silent, busy));
    expect(await deliveryEventsOf(store, silent)).toEqual([]);
    expect((await deliveryEventsOf(store, busy)).map(({ number }) => number)).toEqual(
      numbers(120).map((index) => index + 1),
    );
  }),
  { rule: 'beside' },
  it('each with its notification as it is now and the profile of its customer', async (store, a) => {
    const appointment = a.scheduled();
    const row = a.notification({ id: 'n-1' });
    const addressee = { type: 'SYSTEM' as const, id: 'customer-1', label: 'CRM' };
    const hook = a.notification({ id: 'n-2', channel: 'WEBHOOKS', addressee });
    const settled = changed(row, delivered, { messageId: 'm-1' });
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
  scopes(eventList),
]);
