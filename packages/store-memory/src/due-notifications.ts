import { type Instant, type Notification, type NotificationChannel, notificationChannels } from '@calends/core/store';
import { compareText } from './code-point-order.js';
import { SortedList } from './sorted-list.js';

/** Only notifications with an instant are kept. */
const instantOf = ({ wakeAt }: Notification): Instant => wakeAt ?? Infinity;

function earliestFirst(a: Notification, b: Notification): number {
  return instantOf(a) - instantOf(b) || compareText(a.id, b.id) || compareText(a.organizationId, b.organizationId);
}

const isWaiting = ({ wakeAt, phase }: Notification): boolean => wakeAt !== null && phase !== 'DONE';

/** The notifications of all organizations that the worker must look at, by channel and when. */
export class DueNotifications {
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
