import type { ListedNotification, NotificationSortField } from '@calends/core/store';
import { findRow } from '../sql/steps.js';
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
export const findNotification = (organizationId: string, id: string) =>
  findRow(findOne, [organizationId, id], readListed);
