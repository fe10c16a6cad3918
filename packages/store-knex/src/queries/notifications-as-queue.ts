import type { NotificationQueue } from '../dialects/dialect.js';

/** The notifications as their own queue. */
export const notificationsAsQueue: NotificationQueue = {
  nextDue: 'select min(wake_at) from calends_notifications where channel = ? and wake_at is not null',
  // In two parts, each of which an index answers alone: what has a time, and what waits for a call of the provider. That
  // nothing is DONE that has a time is said to databases that cannot index a part of the rows.
  undelivered: `(
    select channel, phase, wake_at from calends_notifications where wake_at is not null and phase <> 'DONE'
    union all
    select channel, phase, wake_at from calends_notifications where wake_at is null and phase <> 'DONE')`,
};
