import {
  compareText,
  type DeliveryEvent,
  deliveryEventId,
  type Instant,
  type Listed,
  type Notification,
  type NotificationEventSortField,
  type NotificationQuery,
  type NotificationScope,
  type NotificationSortField,
} from '@calends/core/store';
import type { NotificationRow } from './notifications.js';
import type { OrganizationRows } from './organization-rows.js';

/** What a listing sorts by; undefined goes last in both directions. */
type SortKey = string | number | undefined;

/** An event beside the notification that it belongs to. */
export interface EventRow {
  readonly id: string;
  readonly event: DeliveryEvent;
  readonly notification: Notification;
}

const notificationKeys =
  (field: NotificationSortField) =>
  (notification: Notification): SortKey =>
    notification[field === 'retryCount' ? 'attempts' : field];

const eventKeys: Readonly<Record<NotificationEventSortField, (row: EventRow) => SortKey>> = {
  timestamp: ({ event }) => event.timestamp,
  scheduledFor: ({ notification }) => notification.scheduledFor,
  status: ({ event }) => event.status,
  type: ({ notification }) => notification.type,
  channel: ({ notification }) => notification.channel,
  id: ({ id }) => id,
};

/** Tells whether the filters of a query let something of that status and instant through; an absent one does. */
function isAsked<SortField extends string>(
  { appointmentId, types, channels, statuses, from = -Infinity, to = Infinity }: NotificationQuery<SortField>,
  notification: Notification,
  status: Notification['status'],
  at: Instant,
): boolean {
  return (
    (types?.includes(notification.type) ?? true) &&
    (appointmentId === undefined || appointmentId === notification.appointmentId) &&
    (channels?.includes(notification.channel) ?? true) &&
    (statuses?.includes(status) ?? true) &&
    from <= at &&
    at < to
  );
}

/** Tells whether the scope shows what belongs to the appointment (D60). */
function isShown(appointments: OrganizationRows, scope: NotificationScope, appointmentId: string): boolean {
  if (scope.kind === 'all') return true;
  const row = appointments.find(appointmentId);
  if (row === undefined || scope.kind === 'existing') return row !== undefined;
  return row.actors.some(({ relation, actorId }) => relation !== 'CUSTOMER' && actorId === scope.agentId);
}

function compareKeys(a: SortKey, b: SortKey): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));
}

/** The page that a query asks for: ties by id in the same direction, absent values last in both (D31). */
function pageOf<Item, SortField extends string>(
  items: readonly Item[],
  { sortOrder, pageNumber, pageSize }: NotificationQuery<SortField>,
  keyOf: (item: Item) => SortKey,
  idOf: (item: Item) => string,
): Listed<Item> {
  const direction = sortOrder === 'asc' ? 1 : -1;
  const inOrder = items.toSorted((left, right) => {
    const [a, b] = [keyOf(left), keyOf(right)];
    const byAbsence = Number(a === undefined) - Number(b === undefined);
    return byAbsence || direction * (compareKeys(a, b) || compareText(idOf(left), idOf(right)));
  });
  const skipped = (pageNumber - 1) * pageSize;
  return { items: inOrder.slice(skipped, skipped + pageSize), total: items.length };
}

/** A page of the rows of an application. */
export function listNotifications(
  rows: readonly NotificationRow[],
  appointments: OrganizationRows,
  query: NotificationQuery<NotificationSortField>,
): Listed<Notification> {
  const matching = rows
    .map(({ notification }) => notification)
    .filter((one) => isAsked(query, one, one.status, one.createdAt))
    .filter(({ appointmentId }) => isShown(appointments, query.scope, appointmentId));
  return pageOf(matching, query, notificationKeys(query.sortField), ({ id }) => id);
}

/** A page of the events of an application's rows. */
export function listDeliveryEvents(
  rows: readonly NotificationRow[],
  appointments: OrganizationRows,
  query: NotificationQuery<NotificationEventSortField>,
): Listed<EventRow> {
  const matching = rows
    .filter(({ notification }) => isShown(appointments, query.scope, notification.appointmentId))
    .flatMap(({ notification, events }) =>
      events
        .filter((event) => isAsked(query, notification, event.status, event.timestamp))
        .map((event) => ({ id: deliveryEventId(notification.id, event.number), event, notification })),
    );
  return pageOf(matching, query, eventKeys[query.sortField], ({ id }) => id);
}
