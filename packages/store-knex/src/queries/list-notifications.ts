import type { ListedNotification, NotificationSortField, SendLook, StandingNotification } from '@calends/core';
import { run, runSingle, type Steps } from '../database/steps.js';
import { integer, optionalInteger, optionalText } from '../rows/fields.js';
import { notificationColumns, readNotification } from '../rows/notification-row.js';
import type { PageSource } from './notification-page.js';
import { notificationParts, readListed, withAppointmentAndCustomer } from './notification-parts.js';

/** Pages of notifications. */
export const notificationPages: PageSource<NotificationSortField, ListedNotification> = {
  table: 'calends_notifications x',
  instant: 'x.created_at',
  sortColumns: {
    createdAt: { name: 'created_at' },
    updatedAt: { name: 'updated_at' },
    scheduledFor: { name: 'scheduled_for', nullable: true },
    nextRetryAt: { name: 'next_retry_at', nullable: true },
    status: { name: 'status' },
    type: { name: 'type' },
    channel: { name: 'channel' },
    // Attempts made, automatic and manual (D51).
    retryCount: { name: 'attempts' },
    id: { name: 'id' },
  },
  columns: notificationParts,
  alias: 'n',
  key: 'x.id',
  joins: `left join calends_notifications n on n.organization_id = ? and n.id = p.id ${withAppointmentAndCustomer}`,
  filled: 'n_id',
  read: readListed,
};

const findOne = `select ${notificationParts} from calends_notifications n ${withAppointmentAndCustomer}
  where n.organization_id = ? and n.id = ?`;

/** One notification with its appointment and customer. */
export function* findNotification(organizationId: string, id: string): Steps<ListedNotification | undefined> {
  const row = yield* runSingle(findOne, [organizationId, id]);
  return row === undefined ? undefined : readListed(row);
}

const findAlike = `select ${notificationColumns('n')}, a.schedule_version, c.primary_email, c.primary_phone
  from calends_notifications n ${withAppointmentAndCustomer}
  where n.organization_id = ? and n.appointment_id = ? and n.channel = ? and n.addressee_id = ?
    and (n.id = ? or n.phase in ('SENDING', 'RETRY_WAIT')
      or (n.phase = 'READY' and (n.scheduled_for is null or n.scheduled_for <= ?)))`;

/** What a worker looks at right before it sends. */
export function* findStanding({
  organizationId,
  id,
  appointmentId,
  channel,
  addresseeId,
  now,
}: SendLook): Steps<StandingNotification | undefined> {
  const { rows } = yield* run(findAlike, [organizationId, appointmentId, channel, addresseeId, id, now]);
  const own = rows.find((row) => row['n_id'] === id);
  if (own === undefined) return undefined;
  return {
    revision: integer(own, 'n_revision'),
    scheduleVersion: optionalInteger(own, 'schedule_version'),
    primaryEmail: optionalText(own, 'primary_email'),
    primaryPhone: optionalText(own, 'primary_phone'),
    others: rows.filter((row) => row !== own).map(readNotification),
  };
}
