import {
  deliveryEventId,
  type Notification,
  type NotificationEventSortField,
  type NotificationQuery,
  type NotificationScope,
  type NotificationSortField,
  type SchedulingStore,
} from '@calends/core/store';
import { type Case, it } from '../conformance-case.js';
import { expect, listedEventIds, listedNotificationIds } from '../expectations.js';
import { customer } from '../fixtures/appointments.js';
import { insertion, removal } from '../fixtures/changes.js';
import { adding } from '../fixtures/notifications.js';
import type { Words } from '../fixtures/words.js';
import { commitAll, numbers } from '../steps.js';

type Asked<SortField extends string = 'id'> = Partial<NotificationQuery<SortField>>;

/** A list of notifications, or of their events: its ids for a question, and those that a notification has in it. */
export interface List<SortField extends string = 'id'> {
  readonly ask: (store: SchedulingStore, a: Words, asked?: Asked<SortField>) => Promise<readonly string[]>;
  readonly total: (store: SchedulingStore, a: Words, asked: Asked<SortField>) => Promise<number>;
  readonly idsOf: (row: Notification) => readonly string[];
}

export const notificationList: List<NotificationSortField> = {
  ask: (store, a, asked) => listedNotificationIds(store, a.notificationQuery(asked)),
  total: async (store, a, asked) => (await store.notifications.list(a.notificationQuery(asked))).total,
  idsOf: ({ id }) => [id],
};

export const eventList: List<NotificationEventSortField> = {
  ask: (store, a, asked) => listedEventIds(store, a.deliveryEventQuery(asked)),
  total: async (store, a, asked) => (await store.notifications.listEvents(a.deliveryEventQuery(asked))).total,
  idsOf: ({ id, eventCount }) => numbers(eventCount).map((index) => deliveryEventId(id, index + 1)),
};

/** What is asked for, and which ids the answer has, with the exact total of a page that is too small for them. */
export async function expectListed(
  store: SchedulingStore,
  a: Words,
  { ask, total }: List,
  table: readonly (readonly [asked: Asked, ids: readonly string[]])[],
): Promise<void> {
  for (const [asked, ids] of table) {
    const name = JSON.stringify(asked);
    expect(await ask(store, a, asked)).toEqual(ids, name);
    for (const pageSize of [1, 5]) {
      expect(await ask(store, a, { ...asked, pageSize })).toEqual(ids.slice(0, pageSize), name);
      expect(await total(store, a, { ...asked, pageSize })).toEqual(ids.length, name);
    }
  }
}

export const ofOneApplication = (list: List): Case =>
  it('a list is of one application of one organization', async (store, a) => {
    const [mine, elsewhere] = [a.notification({ id: 'n-1' }), a.notification({ id: 'n-2', applicationId: 'app-2' })];
    const other = a.of('other');
    const foreign = other.notification();
    await commitAll(store, adding(mine, elsewhere), adding(foreign));
    await expectListed(store, a, list, [
      [{}, list.idsOf(mine)],
      [{ applicationId: 'app-2' }, list.idsOf(elsewhere)],
      [{ applicationId: 'app-3' }, []],
    ]);
    await expectListed(store, other, list, [
      [{}, list.idsOf(foreign)],
      [{ applicationId: 'app-2' }, []],
    ]);
  });

export const ofAgent = (agentId: string): { readonly scope: NotificationScope } => ({
  scope: { kind: 'ofAgent', agentId },
});

export const scopes = (list: List): Case =>
  it('scopes: everything, what has a record, and what the agent organizes or is assigned to (D60)', async (store, a) => {
    const at = (id: string, organizerId: string, agentIds: readonly string[] = []) =>
      insertion(a.scheduled({ id: `a-${id}`, organizerId, agentIds }));
    await commitAll(
      store,
      at('organized', 'anna'),
      at('assigned', 'bert', ['anna', 'carl']),
      at('both', 'anna', ['anna']),
      at('gone', 'anna'),
      insertion(a.cancelled({ id: 'a-cancelled', organizerId: 'anna' })),
      insertion(a.scheduled({ id: 'a-customer', organizerId: 'bert', participants: [customer('anna', 'anna')] })),
      insertion(a.of('other').scheduled({ id: 'a-foreign', organizerId: 'anna' })),
    );
    const all = ['assigned', 'both', 'cancelled', 'customer', 'foreign', 'gone', 'organized', 'unknown'];
    const rowsOf = (name: string) =>
      ['1', '2'].map((n) => a.notification({ id: `${name}-${n}`, appointmentId: `a-${name}`, eventCount: 2 }));
    await commitAll(store, adding(...all.toReversed().flatMap(rowsOf)), removal(a.scheduled({ id: 'a-gone' })));
    const idsOf = (...names: readonly string[]) => names.flatMap(rowsOf).flatMap(list.idsOf);
    const annas = idsOf('assigned', 'both', 'cancelled', 'organized');
    await expectListed(store, a, list, [
      [{ scope: { kind: 'all' } }, idsOf(...all)],
      [{ scope: { kind: 'existing' } }, idsOf('assigned', 'both', 'cancelled', 'customer', 'organized')],
      [ofAgent('anna'), annas],
      [ofAgent('bert'), idsOf('assigned', 'customer')],
      [ofAgent('carl'), idsOf('assigned')],
      ...['', 'ANNA', 'anna ', 'dora', 'customer-1'].map((nobody) => [ofAgent(nobody), []] as const),
    ]);
    const page = { ...ofAgent('anna'), pageSize: 3, pageNumber: 2 };
    expect(await list.ask(store, a, page)).toEqual(annas.slice(3, 6));
    expect(await list.total(store, a, page)).toEqual(annas.length);
  });
