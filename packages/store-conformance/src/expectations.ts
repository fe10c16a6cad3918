import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import {
  type AppointmentListQuery,
  type AuditEntry,
  type AuditQuery,
  type AvailabilityStore,
  type RetentionStore,
  type Change,
  type CustomerProfile,
  type DeliveryEvent,
  deliveryEventId,
  type Notification,
  type NotificationQuery,
  type NotificationWrite,
  type OtpChallenge,
  type SchedulingStore,
  type Ticket,
  type NotificationEventSortField,
  type NotificationSortField,
} from '@calends/core/store';

import { auditQuery, deliveryEventQuery } from './fixtures/queries.js';
import { deliveryEvent } from './fixtures/notifications.js';
import { ticketKeyOf } from './fixtures/proofs.js';

const equality = (actual: unknown) => ({
  toEqual: (expected: unknown, message?: string) =>
    // Node 26 refuses a message that is given as undefined.
    message === undefined
      ? assert.deepStrictEqual(actual, expected)
      : assert.deepStrictEqual(actual, expected, message),
});

/** Expects each of them to be what the store finds in its place. */
const found =
  <Value>(find: (store: SchedulingStore, expected: Value) => Promise<unknown>) =>
  async (store: SchedulingStore, ...all: readonly Value[]): Promise<void> => {
    for (const expected of all) equality(await find(store, expected)).toEqual(expected);
  };

/** Expects a value to equal another one exactly: what is absent is not what is undefined. */
export const expect = Object.assign(equality, {
  appointments: found((store, { organizationId, id }: Appointment) => store.appointments.find(organizationId, id)),
  profiles: found((store, { organizationId, appointmentId, participantId }: CustomerProfile) =>
    store.customers.find(organizationId, appointmentId, participantId),
  ),
  challenges: found((store, { organizationId, subject }: OtpChallenge) =>
    store.customers.findChallenge(organizationId, subject),
  ),
  tickets: found((store, ticket: Ticket) => store.customers.findTicket(ticketKeyOf(ticket))),
  notifications: found((store, { organizationId, id }: Notification) => storedNotification(store, organizationId, id)),

  /** Each is as it was written, with its events behind the plain one that it was added with. */
  updated: async (store: SchedulingStore, ...all: readonly NotificationWrite[]): Promise<void> => {
    for (const { next, events } of all) {
      equality(await storedNotification(store, next.organizationId, next.id)).toEqual(next);
      equality(await deliveryEventsOf(store, next)).toEqual([deliveryEvent(), ...events]);
    }
  },

  /** The keys of these tickets have none. */
  noTickets: async (store: SchedulingStore, ...all: readonly Ticket[]): Promise<void> => {
    for (const gone of all) equality(await store.customers.findTicket(ticketKeyOf(gone))).toEqual(undefined);
  },

  /** The change is refused as stale. */
  stale: async (store: SchedulingStore, change: Change): Promise<void> => {
    equality(await store.commit(change)).toEqual({ status: 'stale' });
  },
});

/** The part of a store that cases of availability ask; those without it do not run them. */
export function availabilityOf({ availability }: SchedulingStore): AvailabilityStore {
  assert.ok(availability !== undefined, 'The store has no availability.');
  return availability;
}

/** The part of a store that cases of retention ask; those without it do not run them. */
export function retentionOf({ retention }: SchedulingStore): RetentionStore {
  assert.ok(retention !== undefined, 'The store removes nothing by policy.');
  return retention;
}

/** The items of a page, after checking that the total tells the same where one page holds all. */
async function itemsOf<Item>(
  { pageNumber, pageSize }: { readonly pageNumber: number; readonly pageSize: number },
  page: Promise<{ readonly items: readonly Item[]; readonly total: number }>,
): Promise<readonly Item[]> {
  const { items, total } = await page;
  if (pageNumber === 1 && items.length < pageSize) expect(total).toEqual(items.length);
  return items;
}

/** The ids of the appointments on a page. */
export async function listedIds(store: SchedulingStore, query: AppointmentListQuery): Promise<readonly string[]> {
  return (await itemsOf(query, store.appointments.list(query))).map(({ id }) => id);
}

/** What is sorted regardless of order of arrival. */
export const sorted = (ids: readonly string[]): readonly string[] => ids.toSorted();

/** The notification of that id; it must be there. */
export async function storedNotification(
  store: SchedulingStore,
  organizationId: string,
  id: string,
): Promise<Notification> {
  const found = await store.notifications.find(organizationId, id);
  assert.ok(found !== undefined, `The store has no notification ${id}.`);
  return found.notification;
}

/** The events of a notification by number. */
export async function deliveryEventsOf(
  store: SchedulingStore,
  { organizationId, applicationId, id }: Notification,
): Promise<readonly DeliveryEvent[]> {
  const { items } = await store.notifications.listEvents(deliveryEventQuery(organizationId, { applicationId }));
  return items.filter(({ notification }) => notification.id === id).map(({ event }) => event);
}

/** The ids of the notifications on a page. */
export async function listedNotificationIds(
  store: SchedulingStore,
  query: NotificationQuery<NotificationSortField>,
): Promise<readonly string[]> {
  return (await itemsOf(query, store.notifications.list(query))).map(({ notification }) => notification.id);
}

/** The ids of the delivery events on a page. */
export async function listedEventIds(
  store: SchedulingStore,
  query: NotificationQuery<NotificationEventSortField>,
): Promise<readonly string[]> {
  const items = await itemsOf(query, store.notifications.listEvents(query));
  return items.map(({ notification, event }) => deliveryEventId(notification.id, event.number));
}

/** The lines of the record on a page, latest first. */
export function auditRecord(
  store: SchedulingStore,
  organizationId: string,
  overrides: Partial<Omit<AuditQuery, 'organizationId'>> = {},
): Promise<readonly AuditEntry[]> {
  const query = auditQuery(organizationId, overrides);
  return itemsOf(query, store.audit.list(query));
}

/** Writes over everything that can be written over; what is frozen may stay as it is. */
export function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(Reflect.get(value, key));
    Reflect.set(value, key, 'spoiled');
  }
}
