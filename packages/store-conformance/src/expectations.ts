import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import {
  type AppointmentListQuery,
  type AuditEntry,
  type AuditQuery,
  type Change,
  type CustomerProfile,
  type DeliveryEvent,
  deliveryEventId,
  type Notification,
  type NotificationQuery,
  type OtpChallenge,
  type SchedulingStore,
  type Ticket,
  type NotificationEventSortField,
  type NotificationSortField,
} from '@calends/core/store';

import { auditQuery, deliveryEventQuery } from './fixtures/queries.js';
import { ticketKeyOf } from './fixtures/proofs.js';

const equality = (actual: unknown) => ({
  toEqual: (expected: unknown, message?: string) => assert.deepStrictEqual(actual, expected, message),
});

/** Expects a value to equal another one exactly: what is absent is not what is undefined. */
export const expect = Object.assign(equality, {
  /** Commits a change and expects it to be refused as stale. */
  async stale(store: SchedulingStore, change: Change): Promise<void> {
    equality(await store.commit(change)).toEqual({ status: 'stale' });
  },

  /** Expects each appointment to be stored exactly as it is given. */
  async appointments(store: SchedulingStore, ...all: readonly Appointment[]): Promise<void> {
    for (const expected of all) {
      equality(await store.appointments.find(expected.organizationId, expected.id)).toEqual(expected);
    }
  },

  /** Expects each profile to be stored exactly as it is given. */
  async profiles(store: SchedulingStore, ...all: readonly CustomerProfile[]): Promise<void> {
    for (const expected of all) {
      const { organizationId, appointmentId, participantId } = expected;
      equality(await store.customers.find(organizationId, appointmentId, participantId)).toEqual(expected);
    }
  },

  /** Expects each challenge to be the present one of its subject, exactly as it is given. */
  async challenges(store: SchedulingStore, ...all: readonly OtpChallenge[]): Promise<void> {
    for (const expected of all) {
      equality(await store.customers.findChallenge(expected.organizationId, expected.subject)).toEqual(expected);
    }
  },

  /** Expects each ticket to be the current one of its key, exactly as it is given. */
  async tickets(store: SchedulingStore, ...all: readonly Ticket[]): Promise<void> {
    for (const expected of all) {
      equality(await store.customers.findTicket(ticketKeyOf(expected))).toEqual(expected);
    }
  },

  /** Expects the keys of these tickets to have none. */
  async noTickets(store: SchedulingStore, ...all: readonly Ticket[]): Promise<void> {
    for (const gone of all) {
      equality(await store.customers.findTicket(ticketKeyOf(gone))).toEqual(undefined);
    }
  },

  /** Expects each of them to be stored exactly as it is given. */
  async notifications(store: SchedulingStore, ...all: readonly Notification[]): Promise<void> {
    for (const expected of all) {
      equality(await storedNotification(store, expected.organizationId, expected.id)).toEqual(expected);
    }
  },
});

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

/** Writes over everything that can be written over; what is frozen may stay as it is. */
export function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    spoil(Reflect.get(value, key));
    Reflect.set(value, key, 'spoiled');
  }
}
