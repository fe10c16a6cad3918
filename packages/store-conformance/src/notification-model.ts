import {
  actorsOf,
  type Appointment,
  type ClaimedNotification,
  type DeliveryEvent,
  deliveryEventId,
  type Instant,
  type Listed,
  type Notification,
  type NotificationCancellation,
  type NotificationClaim,
  type NotificationEventSortField,
  type NotificationQuery,
  type NotificationScope,
  type NotificationSortField,
  type NotificationUpdate,
  type NotificationWrite,
} from '@calends/core';
import { afterClaim, changed, notification } from './fixtures/notifications.js';

type Key = string | number | undefined;

interface ListedEvent {
  readonly event: DeliveryEvent;
  readonly notification: Notification;
}

/** Compares by code point: the bytes of UTF-8 have its order. */
function compare(a: Key, b: Key): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const allows = <Value>(filter: readonly Value[] | undefined, value: Value): boolean => filter?.includes(value) ?? true;

/** What a store must do to notifications: the definitions, without any index. */
export class NotificationModel {
  readonly #rows = new Map<string, Notification>();
  readonly #events = new Map<string, DeliveryEvent[]>();
  /** When what is claimed was due before its first claim. */
  readonly #places = new Map<string, Instant>();
  readonly #appointments: readonly Appointment[];

  constructor(appointments: readonly Appointment[]) {
    this.#appointments = appointments;
  }

  get rows(): readonly Notification[] {
    return [...this.#rows.values()];
  }

  add({ next, events }: NotificationWrite): void {
    if (this.rows.some(({ dedupeKey }) => dedupeKey === next.dedupeKey)) return;
    this.#put(next, events);
  }

  /** The ids of those that were being sent. */
  cancel(cancellation: NotificationCancellation): readonly string[] {
    const { appointmentId, types, channels, addresseeId, message, messageIfTaken, at } = cancellation;
    const reached = this.rows
      .filter((row) => row.appointmentId === appointmentId && allows(types, row.type) && allows(channels, row.channel))
      .filter(({ addressee }) => addresseeId === undefined || addresseeId === addressee.id);
    const sending = reached.filter(({ phase }) => phase === 'SENDING');
    for (const row of sending) this.#put({ ...row, cancelRequestedAt: at, revision: row.revision + 1 }, []);
    const isTaken = ({ phase }: Notification): boolean => phase === 'SUBMITTED' || phase === 'POLLING';
    for (const row of reached.filter((each) => isTaken(each) && each.cancelRequestedAt === undefined)) {
      if (messageIfTaken === undefined) break;
      const told = { cancelRequestedAt: at, message: messageIfTaken };
      const { next, events } = changed(row, told, { timestamp: at, message: messageIfTaken });
      this.#put(next, events);
    }
    for (const row of reached.filter(({ phase }) => phase === 'READY' || phase === 'RETRY_WAIT')) {
      const gone = { wakeAt: null, nextRetryAt: undefined, kept: undefined };
      const over = { phase: 'DONE', status: 'CANCELLED', message, ...gone } as const;
      const { next, events } = changed(row, over, { timestamp: at, message });
      this.#put(row.attempts === 0 ? { ...next, updatedAt: at } : next, events);
    }
    return sending.map(({ id }) => id);
  }

  /** By its own order, or by the places from before claims that ran out where just these were claimed. */
  claim(
    { channel, limit, leaseFor, now = 0 }: NotificationClaim,
    claimedIds: readonly string[],
  ): readonly Omit<ClaimedNotification, 'appointment' | 'customer'>[] {
    const due = this.rows
      .flatMap((row) =>
        row.wakeAt === null || row.phase === 'DONE' ? [] : [{ row, found: row.phase, dueAt: row.wakeAt }],
      )
      .filter(({ row, dueAt }) => row.channel === channel && dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt || compare(a.row.id, b.row.id));
    const placeOf = ({ row, dueAt }: (typeof due)[number]): Instant => this.#places.get(row.id) ?? dueAt;
    const byPlace = due.toSorted((a, b) => placeOf(a) - placeOf(b) || compare(a.row.id, b.row.id)).slice(0, limit);
    const isByPlace = byPlace.length === claimedIds.length && byPlace.every(({ row }) => claimedIds.includes(row.id));
    const chosen = isByPlace ? due.filter((one) => byPlace.includes(one)) : due.slice(0, limit);
    return chosen.map(({ row, found, dueAt }) => {
      const claimed = afterClaim(row, now, leaseFor);
      this.#places.set(row.id, placeOf({ row, found, dueAt }));
      this.#put(claimed, []);
      return { found, dueAt, updatedBefore: row.updatedAt, notification: claimed };
    });
  }

  /** Outcomes of some rows that are claimed; late ones are of the revision before. */
  outcomes(
    picks: readonly number[],
    outcome: Partial<Notification>,
    isLate: boolean,
    at: Instant,
  ): readonly NotificationUpdate[] {
    const claimed = this.rows.filter(({ phase }) => phase === 'SENDING' || phase === 'POLLING');
    const picked = new Set(picks.flatMap((pick) => claimed[pick % claimed.length] ?? []));
    return [...picked].map((row) => {
      const held = isLate ? { ...row, revision: row.revision - 1 } : row;
      return changed(held, { nextRetryAt: undefined, nextPollAt: undefined, ...outcome }, { timestamp: at });
    });
  }

  settle(updates: readonly NotificationUpdate[]): readonly boolean[] {
    return updates.map(({ expectedRevision, next, events }) => {
      if (this.#rows.get(next.id)?.revision !== expectedRevision) return false;
      this.#places.delete(next.id);
      this.#put(next, events);
      return true;
    });
  }

  nextWakeAt(): Instant | null {
    const next = Math.min(...this.rows.map(({ wakeAt }) => wakeAt ?? Infinity));
    return next === Infinity ? null : next;
  }

  countSending(): number {
    return this.rows.filter(({ phase }) => phase === 'SENDING').length;
  }

  list(query: NotificationQuery<NotificationSortField>): Listed<Notification> {
    const { sortField } = query;
    const matching = this.rows.filter((row) => this.#isAsked(query, row, row.status, row.createdAt));
    const keyOf = (row: Notification): Key => (sortField === 'retryCount' ? row.attempts : row[sortField]);
    return pageOf(matching, query, keyOf, ({ id }) => id);
  }

  listEvents(query: NotificationQuery<NotificationEventSortField>): Listed<ListedEvent> {
    const { sortField } = query;
    const matching = this.rows.flatMap((row) =>
      (this.#events.get(row.id) ?? [])
        .filter(({ status, timestamp }) => this.#isAsked(query, row, status, timestamp))
        .map((event) => ({ event, notification: row })),
    );
    const idOf = ({ event, notification: { id } }: ListedEvent) => deliveryEventId(id, event.number);
    const keyOf = (one: ListedEvent): Key => {
      if (sortField === 'id') return idOf(one);
      return sortField === 'timestamp' || sortField === 'status' ? one.event[sortField] : one.notification[sortField];
    };
    return pageOf(matching, query, keyOf, idOf);
  }

  #put(next: Notification, events: readonly DeliveryEvent[]): void {
    this.#rows.set(next.id, notification(next));
    this.#events.set(next.id, [...(this.#events.get(next.id) ?? []), ...events]);
  }

  #isAsked<SortField extends string>(
    query: NotificationQuery<SortField>,
    row: Notification,
    status: Notification['status'],
    at: Instant,
  ): boolean {
    return (
      row.applicationId === query.applicationId &&
      allows(query.types, row.type) &&
      allows(query.channels, row.channel) &&
      allows(query.statuses, status) &&
      at >= (query.from ?? -Infinity) &&
      at < (query.to ?? Infinity) &&
      this.#isShown(query.scope, row.appointmentId)
    );
  }

  #isShown(scope: NotificationScope, appointmentId: string): boolean {
    const appointment = this.#appointments.find(({ id }) => id === appointmentId);
    if (scope.kind === 'all') return true;
    if (appointment === undefined || scope.kind === 'existing') return appointment !== undefined;
    return actorsOf(appointment).some(({ relation, actorId }) => relation !== 'CUSTOMER' && actorId === scope.agentId);
  }
}

/** A page: ties by id in the same direction, absent values last in both. */
function pageOf<Item, SortField extends string>(
  items: readonly Item[],
  { sortOrder, pageNumber, pageSize }: NotificationQuery<SortField>,
  keyOf: (item: Item) => Key,
  idOf: (item: Item) => string,
): Listed<Item> {
  const direction = sortOrder === 'asc' ? 1 : -1;
  const ordered = (some: readonly Item[]) =>
    some.toSorted((a, b) => direction * (compare(keyOf(a), keyOf(b)) || compare(idOf(a), idOf(b))));
  const present = ordered(items.filter((item) => keyOf(item) !== undefined));
  const absent = ordered(items.filter((item) => keyOf(item) === undefined));
  const skipped = (pageNumber - 1) * pageSize;
  return { items: [...present, ...absent].slice(skipped, skipped + pageSize), total: items.length };
}
