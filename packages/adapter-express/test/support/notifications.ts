import type { Notification, NotificationUpdate } from '@calends/core/store';
import type { Host } from './host.js';
import { created } from './requests.js';

/** What a mail server says that is out of order. */
export const refusal = 'SMTP: 550 mailbox unavailable';

/** Schedules an appointment whose first mail fails for good, as a worker would record it; answers the mail's id. */
export async function failedMail(host: Host): Promise<string> {
  const { id: appointmentId } = (await created(host, { applicationId: 'app-notified' })) as { readonly id: string };
  const store = host.store.store;
  const now = host.clock.time;
  // All that are due: one that was retried before would be claimed first.
  const { claimed } = await store.notifications.claim({ channel: 'EMAIL', limit: 100, leaseFor: 60_000, now });
  const settled = await store.notifications.settle(claimed.map(({ notification }) => failure(notification, now)));
  const mail = claimed.find(({ notification }) => notification.appointmentId === appointmentId);
  if (mail === undefined || settled.includes(false)) throw new Error('The failure was not written.');
  return mail.notification.id;
}

function failure(notification: Notification, at: number): NotificationUpdate {
  const number = notification.eventCount + 1;
  const failed = { status: 'FAILED', errorMessage: refusal } as const;
  const { attempts, pollAttempts } = notification;
  return {
    expectedRevision: notification.revision,
    next: {
      ...notification,
      ...failed,
      phase: 'DONE',
      wakeAt: null,
      revision: notification.revision + 1,
      eventCount: number,
    },
    events: [{ ...failed, number, timestamp: at, attempts, pollAttempts }],
  };
}
