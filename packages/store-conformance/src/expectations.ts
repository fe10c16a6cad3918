import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import {
  type AppointmentListQuery,
  type AuditEntry,
  type AuditQuery,
  type Change,
  type DeliveryEvent,
  deliveryEventId,
  type Notification,
  type NotificationQuery,
  type RefusalStatus,
  type SchedulingStore,
  type Ticket,
  type NotificationEventSortField,
  type NotificationSortField,
} from '@calends/core/store';

import { insertion } from './fixtures/changes.js';
import { adding } from './fixtures/notifications.js';
import { auditQuery, deliveryEventQuery } from './fixtures/queries.js';
import { ticketKeyOf } from './fixtures/proofs.js';

/** Expects a value to equal another one exactly: what is absent is not what is undefined. */
export const expect = (actual: unknown) => ({
  toEqual: (expected: unknown, message?: string) => assert.deepStrictEqual(actual, expected, message),
});

/** Commits changes one after another and expects each to be committed. */
export async function commitAll(store: SchedulingStore, ...changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    expect(await store.commit(change)).toEqual({ status: 'committed' });
  }
}

/** Commits the appointment, and gives it back. */
export async function inserted<Kind extends Appointment>(store: SchedulingStore, next: Kind): Promise<Kind> {
  await commitAll(store, insertion(next));
  return next;
}

/** Commits the notification, and gives it back. */
export async function added(store: SchedulingStore, next: Notification): Promise<Notification> {
  await commitAll(store, adding(next));
  return next;
}

export const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** The answers to as many calls at once. */
export const atOnce = <Answer>(count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(numbers(count).map(call));

/** Commits as many changes at once, by both stores if there are two; expects one to win, and the others to be refused. */
export async function race(
  count: number,
  refused: RefusalStatus,
  changeOf: (index: number) => Change,
  store: SchedulingStore,
  other = store,
): Promise<number> {
  const results = await atOnce(count, (index) => (index % 2 === 0 ? store : other).commit(changeOf(index)));
  expect(outcomes(results)).toEqual({ committed: 1, [refused]: count - 1 });
  return results.findIndex(({ status }) => status === 'committed');
}

/** Commits a change and expects it to be refused as stale. */
export async function expectStale(store: SchedulingStore, change: Change): Promise<void> {
  expect(await store.commit(change)).toEqual({ status: 'stale' });
}

/** How often each outcome stands among results. */
export function outcomes(results: readonly { readonly status: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The ids on the page of a list, after checking that the total tells the same where one page holds all. */
export async function listedIds(store: SchedulingStore, query: AppointmentListQuery): Promise<readonly string[]> {
  const { items, total } = await store.appointments.list(query);
  if (query.pageNumber === 1 && items.length < query.pageSize) expect(total).toEqual(items.length);
  return items.map(({ id }) => id);
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

/** Expects each of them to be stored exactly as it is given. */
export async function expectNotifications(store: SchedulingStore, ...all: readonly Notification[]): Promise<void> {
  for (const expected of all) {
    expect(await storedNotification(store, expected.organizationId, expected.id)).toEqual(expected);
  }
}

/** The events of a notification by number. */
export async function deliveryEventsOf(
  store: SchedulingStore,
  { organizationId, applicationId, id }: Notification,
): Promise<readonly DeliveryEvent[]> {
  const { items } = await store.notifications.listEvents(deliveryEventQuery(organizationId, { applicationId }));
  return items.filter(({ notification }) => notification.id === id).map(({ event }) => event);
}

/** The ids of the notifications on a page, after checking the total where one page holds all. */
export async function listedNotificationIds(
  store: SchedulingStore,
  query: NotificationQuery<NotificationSortField>,
): Promise<readonly string[]> {
  const { items, total } = await store.notifications.list(query);
  if (query.pageNumber === 1 && items.length < query.pageSize) expect(total).toEqual(items.length);
  return items.map(({ notification }) => notification.id);
}

/** The ids of the delivery events on a page, after checking the total where one page holds all. */
export async function listedEventIds(
  store: SchedulingStore,
  query: NotificationQuery<NotificationEventSortField>,
): Promise<readonly string[]> {
  const { items, total } = await store.notifications.listEvents(query);
  if (query.pageNumber === 1 && items.length < query.pageSize) expect(total).toEqual(items.length);
  return items.map(({ notification, event }) => deliveryEventId(notification.id, event.number));
}

/** The lines of the record on a page, latest first, after checking the total where one page holds all. */
export async function auditRecord(
  store: SchedulingStore,
  organizationId: string,
  overrides: Partial<Omit<AuditQuery, 'organizationId'>> = {},
): Promise<readonly AuditEntry[]> {
  const query = auditQuery(organizationId, overrides);
  const { items, total } = await store.audit.list(query);
  if (query.pageNumber === 1 && items.length < query.pageSize) expect(total).toEqual(items.length);
  return items;
}

/** Expects each ticket to be the current one of its key, exactly as it is given. */
export async function expectTickets(store: SchedulingStore, ...all: readonly Ticket[]): Promise<void> {
  for (const expected of all) {
    expect(await store.customers.findTicket(ticketKeyOf(expected))).toEqual(expected);
  }
}

/** Expects the keys of these tickets to have none. */
export async function expectNoTickets(store: SchedulingStore, ...all: readonly Ticket[]): Promise<void> {
  for (const gone of all) {
    expect(await store.customers.findTicket(ticketKeyOf(gone))).toEqual(undefined);
  }
}

/** Writes over everything that can be written over; what is frozen may stay as it is. */
export function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(Reflect.get(value, key));
    Reflect.set(value, key, 'spoiled');
  }
}
