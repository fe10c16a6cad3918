import {
  type Backlog,
  type ClaimedNotification,
  compareText,
  type DeliveryEvent,
  type Instant,
  type Notification,
  type NotificationChannel,
  notificationChannels,
  type NotificationUpdate,
  type NotificationWrite,
  StoreError,
} from '@calends/core/store';
import { compositeKey, entry } from './maps.js';
import { claimed, releasedReminder } from './notification-steps.js';
import { sealedCopy } from './sealed-copy.js';
import { SortedList } from './sorted-list.js';

/** A notification as it is kept, with its history. */
export interface NotificationRow {
  /** As it is now; each change puts another one here. */
  notification: Notification;
  /** By number. */
  readonly events: DeliveryEvent[];
}

/** Only notifications with an instant are kept. */
const instantOf = ({ wakeAt }: Notification): Instant => wakeAt ?? Infinity;

function earliestFirst(a: Notification, b: Notification): number {
  return instantOf(a) - instantOf(b) || compareText(a.id, b.id) || compareText(a.organizationId, b.organizationId);
}

const isWaiting = ({ wakeAt, phase }: Notification): boolean => wakeAt !== null && phase !== 'DONE';

/** The notifications of all organizations that the worker must look at, by channel and when. */
class DueNotifications {
  readonly #waiting = Object.fromEntries(
    notificationChannels.map((channel) => [channel, new SortedList(earliestFirst)]),
  ) as Readonly<Record<NotificationChannel, SortedList<Notification>>>;

  add(notification: Notification): void {
    if (isWaiting(notification)) this.#waiting[notification.channel].add(notification);
  }

  remove(notification: Notification): void {
    if (isWaiting(notification)) this.#waiting[notification.channel].remove(notification);
  }

  /** What is due, earliest first, then by id. */
  due(channel: NotificationChannel, now: Instant, limit: number): readonly Notification[] {
    return this.#waiting[channel].takeWhile((notification) => instantOf(notification) <= now, limit);
  }

  next(channel: NotificationChannel): Instant | undefined {
    return this.#waiting[channel].first?.wakeAt ?? undefined;
  }
}

/** A claimed notification and how it was found. */
export type ClaimedRow = Pick<ClaimedNotification, 'notification' | 'found' | 'dueAt' | 'updatedBefore'>;

/** The notifications of all organizations with their indexes. */
export class Notifications {
  readonly #due = new DueNotifications();
  readonly #byId = new Map<string, NotificationRow>();
  readonly #byAppointment = new Map<string, NotificationRow[]>();
  readonly #byApplication = new Map<string, NotificationRow[]>();
  readonly #dedupeKeys = new Set<string>();
  /** Everything that is not DONE. */
  readonly #undelivered = new Set<NotificationRow>();

  find(organizationId: string, id: string): NotificationRow | undefined {
    return this.#byId.get(compositeKey(organizationId, id));
  }

  /** Also after the appointment was removed. */
  ofAppointment(organizationId: string, appointmentId: string): readonly NotificationRow[] {
    return this.#byAppointment.get(compositeKey(organizationId, appointmentId)) ?? [];
  }

  ofApplication(organizationId: string, applicationId: string): readonly NotificationRow[] {
    return this.#byApplication.get(compositeKey(organizationId, applicationId)) ?? [];
  }

  /** Of those that are not DONE. */
  toSend(organizationId: string): readonly NotificationRow[] {
    return [...this.#undelivered].filter(({ notification }) => notification.organizationId === organizationId);
  }

  hasDedupeKey(organizationId: string, dedupeKey: string): boolean {
    return this.#dedupeKeys.has(compositeKey(organizationId, dedupeKey));
  }

  add({ next, events }: NotificationWrite): void {
    const { organizationId, id, appointmentId, applicationId, dedupeKey } = next;
    const row: NotificationRow = { notification: next, events: [...events] };
    this.#byId.set(compositeKey(organizationId, id), row);
    entry(this.#byAppointment, compositeKey(organizationId, appointmentId), newRows).push(row);
    entry(this.#byApplication, compositeKey(organizationId, applicationId), newRows).push(row);
    this.#dedupeKeys.add(compositeKey(organizationId, dedupeKey));
    this.#index(row);
  }

  change(row: NotificationRow, { next, events }: NotificationWrite): void {
    this.#due.remove(row.notification);
    row.notification = next;
    row.events.push(...events);
    this.#index(row);
  }

  /** Removes those that are over, with their history, at most so many; answers how many. */
  purge(isOver: (notification: Notification) => boolean, limit: number): number {
    const gone: NotificationRow[] = [];
    for (const row of this.#byId.values()) {
      if (gone.length === limit) break;
      if (isOver(row.notification)) gone.push(row);
    }
    for (const row of gone) this.#remove(row);
    return gone.length;
  }

  claim(channel: NotificationChannel, now: Instant, limit: number, leaseFor: number): readonly ClaimedRow[] {
    return this.#due.due(channel, now, limit).flatMap((due) => {
      const row = this.find(due.organizationId, due.id);
      if (row === undefined || due.phase === 'DONE' || due.wakeAt === null) return [];
      const notification = claimed(due, now, leaseFor);
      this.change(row, { next: notification, events: [] });
      return [{ notification, found: due.phase, dueAt: due.wakeAt, updatedBefore: due.updatedAt }];
    });
  }

  /** Writes those whose notification has the expected revision, and tells which. */
  settle(given: readonly NotificationUpdate[]): readonly boolean[] {
    const updates = given.map(sealedCopy);
    const keys = updates.map(({ next }) => compositeKey(next.organizationId, next.id));
    if (new Set(keys).size < keys.length) {
      throw new StoreError('unexpected', 'Several outcomes of one notification in one call.');
    }
    const rows = updates.map((update) => this.current(update));
    return updates.map((update, index) => {
      const row = rows[index];
      if (row !== undefined) this.change(row, update);
      return row !== undefined;
    });
  }

  releaseReminders(organizationId: string, appointmentId: string, at: Instant): void {
    for (const row of this.ofAppointment(organizationId, appointmentId)) {
      const released = releasedReminder(row.notification, at);
      if (released !== undefined) this.change(row, { next: released, events: [] });
    }
  }

  /** The row that the update is about, when it is as the update expects it. */
  current(update: NotificationUpdate): NotificationRow | undefined {
    const { next, expectedRevision, events } = update;
    const row = this.find(next.organizationId, next.id);
    if (row?.notification.revision !== expectedRevision) return undefined;
    const isNumberedOn = events.every(({ number }, index) => number === row.events.length + index + 1);
    if (next.revision !== expectedRevision + 1 || !isNumberedOn) {
      throw new StoreError('unexpected', 'A notification is changed without numbering its revision or events on.');
    }
    return row;
  }

  next(channel: NotificationChannel): Instant | undefined {
    return this.#due.next(channel);
  }

  backlog(): readonly Backlog[] {
    const groups = new Map<string, Backlog>();
    for (const { notification } of this.#undelivered) {
      const { channel, phase, wakeAt } = notification;
      if (phase === 'DONE') continue;
      const group = groups.get(`${channel} ${phase}`) ?? { channel, phase, count: 0, oldestWakeAt: null };
      const oldest = Math.min(group.oldestWakeAt ?? Infinity, wakeAt ?? Infinity);
      const oldestWakeAt = oldest === Infinity ? null : oldest;
      groups.set(`${channel} ${phase}`, { ...group, count: group.count + 1, oldestWakeAt });
    }
    return [...groups.values()];
  }

  #remove(row: NotificationRow): void {
    const { organizationId, id, appointmentId, applicationId, dedupeKey } = row.notification;
    this.#byId.delete(compositeKey(organizationId, id));
    this.#dedupeKeys.delete(compositeKey(organizationId, dedupeKey));
    without(this.#byAppointment, compositeKey(organizationId, appointmentId), row);
    without(this.#byApplication, compositeKey(organizationId, applicationId), row);
  }

  #index(row: NotificationRow): void {
    this.#due.add(row.notification);
    if (row.notification.phase === 'DONE') this.#undelivered.delete(row);
    else this.#undelivered.add(row);
  }
}

function without(rows: Map<string, NotificationRow[]>, key: string, row: NotificationRow): void {
  const left = rows.get(key)?.filter((each) => each !== row) ?? [];
  if (left.length === 0) rows.delete(key);
  else rows.set(key, left);
}

const newRows = (): NotificationRow[] => [];
