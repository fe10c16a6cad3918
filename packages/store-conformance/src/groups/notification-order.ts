import {
  type DeliveryEvent,
  type Notification,
  notificationChannels,
  type NotificationEventSortField,
  notificationEventSortFields,
  type NotificationSortField,
  notificationSortFields,
  notificationTypes,
  type NotificationWrite,
} from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { eventList, type List, notificationList } from './both-lists.js';
import { expect } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { adding, deliveryEvent, written } from '../fixtures/notifications.js';
import { added, commitAll, numbers } from '../steps.js';

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
const lists = [notificationList, eventList];

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

/** By each field: seven at each place, and two events of each. */
const sortedBy = <SortField extends string>(
  what: string,
  list: List<SortField>,
  placesOf: Readonly<Record<SortField, readonly EventSample[]>>,
  fields: readonly SortField[],
): readonly Case[] =>
  fields.map((sortField) =>
    it(`${what} are sorted by ${sortField}, both ways, ties by id in the same direction, absent values last`, async (store, a) => {
      // Later places have earlier ids, except where the id is the field.
      const at = ({ event, ...sample }: EventSample, place: number) =>
        tied.map((stem) =>
          written(
            a.notificationIn(sample.phase ?? 'READY', { id: `${stem}.${99 - place}`, eventCount: 2, ...sample }),
            [1, 2].map((number) => deliveryEvent({ number, ...event })),
          ),
        );
      const present = placesOf[sortField].map(at);
      const absent = optional.includes(sortField) ? at({}, 99) : [];
      await commitAll(store, insertion(a.scheduled()), a.notifying({ add: scrambled([...present.flat(), ...absent]) }));
      const idsOf = (rows: readonly NotificationWrite[]) => rows.flatMap(({ next }) => list.idsOf(next));
      for (const sortOrder of orders) {
        const expected = inDirection(present.map(idsOf), idsOf(absent), sortOrder);
        const query = { sortField, sortOrder };
        expect(await list.ask(store, a, { ...query, pageSize: 500 })).toEqual(expected);
        for (const scope of [{ kind: 'ofAgent', agentId: 'agent-1' }, { kind: 'existing' }] as const) {
          const page = { ...query, scope, pageSize: 5, pageNumber: 2 };
          expect(await list.ask(store, a, page)).toEqual(expected.slice(5, 10));
        }
      }
    }),
  );

export const notificationOrderGroup = group(
  'notifications and delivery events are sorted by code point and paged exactly (D30, D31)',
  [
    { rule: 'pages' },
    ...sortedBy('notifications', notificationList, places, notificationSortFields),
    ...sortedBy('delivery events', eventList, eventPlaces, notificationEventSortFields),
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
        for (const list of lists) {
          const seen: string[] = [];
          for (const pageNumber of [1, 2, 3, 4]) {
            seen.push(...(await list.ask(store, a, { ...paged, pageNumber })));
            expect(await list.total(store, a, { ...paged, pageNumber })).toEqual(23);
          }
          const idsAt = (rest: number) => rows.filter((_, index) => index % 3 === rest).flatMap(list.idsOf);
          expect(seen).toEqual(inDirection([idsAt(1), idsAt(2)], idsAt(0), sortOrder));
        }
      }
    }),
    it('a page past the end is empty and has the total', async (store, a) => {
      await added(store, a.notificationIn('READY'));
      for (const pageNumber of [2, 1000, 90_071_992_547_409]) {
        const page = { pageNumber, pageSize: 100 };
        for (const list of lists) {
          expect([await list.ask(store, a, page), await list.total(store, a, page)]).toEqual([[], 1]);
        }
      }
    }),
    it('a list of nothing is empty with the total 0', async (store, a) => {
      for (const list of lists) expect([await list.ask(store, a), await list.total(store, a, {})]).toEqual([[], 0]);
    }),
  ],
);
