import {
  type DeliveryEvent,
  type Notification,
  notificationChannels,
  type NotificationEventSortField,
  notificationEventSortFields,
  type NotificationSortField,
  notificationSortFields,
  notificationTypes,
} from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { expect, listedEventIds, listedNotificationIds } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { adding, deliveryEvent, written } from '../fixtures/notifications.js';
import { commitAll, numbers } from '../steps.js';

const statuses = [
  { status: 'CANCELLED', phase: 'DONE' },
  { status: 'DELIVERED', phase: 'DONE' },
  { status: 'FAILED', phase: 'DONE' },
  { status: 'INITIALIZED', phase: 'READY' },
  { status: 'PENDING', phase: 'RETRY_WAIT' },
] as const;
const types = notificationTypes.toSorted();
const channels = notificationChannels.toSorted();
const five = [0, 1, 2, 3, 4];

/** What a notification is like at each place of a field, in ascending order. */
const places: Readonly<Record<NotificationSortField, readonly Partial<Notification>[]>> = {
  createdAt: five.map((place) => ({ createdAt: fixtureStart + place, updatedAt: fixtureStart - place })),
  updatedAt: five.map((place) => ({ updatedAt: fixtureStart + place, createdAt: fixtureStart - place })),
  scheduledFor: five.map((place) => ({ scheduledFor: place * 1_000_000_000 })),
  nextRetryAt: five.map((place) => ({ nextRetryAt: place * 1_000_000_000 })),
  status: statuses,
  type: types.map((type) => ({ type })),
  channel: channels.map((channel) => ({ channel })),
  // As texts 10 would come before 2.
  retryCount: [0, 1, 2, 10, 11, 100].map((attempts) => ({ attempts })),
  id: [{}],
};

/** Fields that a notification may lack: it comes last then, whatever the direction. */
const optional: readonly string[] = ['scheduledFor', 'nextRetryAt'];

/** Ids in code-point order; all of one length, as those of events are compared behind them. */
const tied = ['N-00', 'n-01', 'n-0A', 'n-0a', 'n-0é', 'n-0\uff21', 'n-0𐐀'];

/** Arrival in no order that would help. */
const scrambled = <Item>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((a, b) => hash(JSON.stringify(a)) - hash(JSON.stringify(b)));

function hash(text: string): number {
  return Array.from(text).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
}

/** Ids by place; the ties of a place share its list. */
type ByPlace = readonly (readonly string[])[];

/** What a list must answer: places in the direction, ties in the same one, what has no value last. */
function inDirection(present: ByPlace, absent: readonly string[], sortOrder: 'asc' | 'desc'): readonly string[] {
  const [first, last] = [present.flat(), absent];
  return sortOrder === 'asc' ? [...first, ...last] : [...first.toReversed(), ...last.toReversed()];
}

const orders = ['asc', 'desc'] as const;

const ofNotifications = notificationSortFields.map((sortField): Case =>
  it(`notifications by ${sortField}, both ways, ties by id in the same direction, absent values last`, async (store, a) => {
    const at = (sample: Partial<Notification>, place: string) =>
      tied.map((stem) => a.notificationIn(sample.phase ?? 'READY', { id: `${stem}.${place}`, ...sample }));
    const present = places[sortField].map((sample, place) => at(sample, `${99 - place}`));
    const absent = optional.includes(sortField) ? at({}, '00') : [];
    await commitAll(store, insertion(a.scheduled()), adding(...scrambled([...present.flat(), ...absent])));
    const ids = (rows: readonly Notification[]) => rows.map(({ id }) => id);
    for (const sortOrder of orders) {
      const expected = inDirection(present.map(ids), ids(absent), sortOrder);
      const query = a.notificationQuery({ sortField, sortOrder });
      expect(await listedNotificationIds(store, query)).toEqual(expected);
      const scope = { kind: 'ofAgent', agentId: 'agent-1' } as const;
      const page = { ...query, scope, pageSize: 4, pageNumber: 2 };
      expect(await listedNotificationIds(store, page)).toEqual(expected.slice(4, 8));
    }
  }),
);

type EventSample = Partial<Notification> & { readonly event?: Partial<DeliveryEvent> };

const eventPlaces: Readonly<Record<NotificationEventSortField, readonly EventSample[]>> = {
  timestamp: five.map((place) => ({ event: { timestamp: fixtureStart + place }, createdAt: fixtureStart - place })),
  scheduledFor: places.scheduledFor,
  // The event's own status: all of the notifications have another one.
  status: statuses.map(({ status }) => ({ event: { status } })),
  type: places.type,
  channel: places.channel,
  id: [{}],
};

const ofEvents = notificationEventSortFields.map((sortField): Case =>
  it(`delivery events by ${sortField}, both ways, ties by id in the same direction, absent values last`, async (store, a) => {
    const at = ({ event, ...sample }: EventSample, place: string) =>
      tied.map((stem) =>
        written(
          a.notificationIn('READY', { id: `${stem}.${place}`, eventCount: 2, ...sample }),
          [1, 2].map((number) => deliveryEvent({ number, ...event })),
        ),
      );
    const present = eventPlaces[sortField].map((sample, place) => at(sample, `${99 - place}`));
    const absent = optional.includes(sortField) ? at({}, '00') : [];
    await commitAll(store, insertion(a.scheduled()), a.notifying({ add: scrambled([...present.flat(), ...absent]) }));
    const ids = (rows: readonly { readonly next: Notification }[]) =>
      rows.flatMap(({ next: { id } }) => [`${id}-000001`, `${id}-000002`]);
    for (const sortOrder of orders) {
      const expected = inDirection(present.map(ids), ids(absent), sortOrder);
      const query = a.deliveryEventQuery({ sortField, sortOrder });
      expect(await listedEventIds(store, query)).toEqual(expected);
      const scope = { kind: 'existing' } as const;
      const page = { ...query, scope, pageSize: 5, pageNumber: 2 };
      expect(await listedEventIds(store, page)).toEqual(expected.slice(5, 10));
    }
  }),
);

export const notificationOrderGroup = group(
  'notifications and delivery events are sorted by code point and paged exactly (D30, D31)',
  [
    { rule: 'pages' },
    ...ofNotifications,
    ...ofEvents,
    it('the pages of a list hold everything once, each with the exact total', async (store, a) => {
      const rows = numbers(23).map((index) =>
        a.notificationIn('READY', {
          id: `n-${`${index}`.padStart(2, '0')}`,
          // Ties and absent values, so that only the id keeps the pages apart.
          scheduledFor: index % 3 === 0 ? undefined : fixtureStart + (index % 3),
        }),
      );
      await commitAll(store, adding(...rows));
      for (const sortOrder of orders) {
        const paged = { sortField: 'scheduledFor', sortOrder, pageSize: 7 } as const;
        const seen: string[] = [];
        const seenEvents: string[] = [];
        for (const pageNumber of [1, 2, 3, 4]) {
          const page = a.notificationQuery({ ...paged, pageNumber });
          const eventPage = a.deliveryEventQuery({ ...paged, pageNumber });
          expect((await store.notifications.list(page)).total).toEqual(23);
          expect((await store.notifications.listEvents(eventPage)).total).toEqual(23);
          seen.push(...(await listedNotificationIds(store, page)));
          seenEvents.push(...(await listedEventIds(store, eventPage)));
        }
        expect([seen.length, new Set(seen).size]).toEqual([23, 23]);
        expect(seenEvents).toEqual(seen.map((id) => `${id}-000001`));
      }
    }),
    it('a page past the end is empty and has the total', async (store, a) => {
      await commitAll(store, adding(a.notificationIn('READY')));
      for (const pageNumber of [2, 1000, 90_071_992_547_409]) {
        const page = { pageNumber, pageSize: 100 };
        const nothing = { items: [], total: 1 };
        expect(await store.notifications.list(a.notificationQuery(page))).toEqual(nothing);
        expect(await store.notifications.listEvents(a.deliveryEventQuery(page))).toEqual(nothing);
      }
    }),
    it('a list of nothing is empty with the total 0', async (store, a) => {
      const nothing = { items: [], total: 0 };
      expect(await store.notifications.list(a.notificationQuery())).toEqual(nothing);
      expect(await store.notifications.listEvents(a.deliveryEventQuery())).toEqual(nothing);
    }),
  ],
);
