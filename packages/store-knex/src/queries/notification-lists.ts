import type {
  ListedDeliveryEvent,
  ListedNotification,
  NotificationEventSortField,
  NotificationSortField,
} from '@calends/core/store';
import { findRow } from '../sql/steps.js';
import {
  deliveryEventTable,
  joinedCustomer,
  notificationAndCustomer,
  notificationParts,
  readDeliveryEvent,
  readListed,
  readNotification,
  withAppointmentAndCustomer,
  withCustomer,
} from '../tables/notifications.js';
import type { PageSource } from './notification-page.js';

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

/** Pages of delivery events. */
export const deliveryEventPages: PageSource<NotificationEventSortField, ListedDeliveryEvent> = {
  table: 'calends_delivery_events x',
  instant: 'x.happened_at',
  sortColumns: {
    timestamp: { name: 'happened_at' },
    scheduledFor: { name: 'scheduled_for', nullable: true },
    status: { name: 'status' },
    type: { name: 'type' },
    channel: { name: 'channel' },
    id: { name: 'id' },
  },
  columns: `${deliveryEventTable.as('e')}, ${notificationAndCustomer}`,
  alias: 'e',
  key: 'x.application_id, x.happened_at, x.id',
  joins: `left join calends_delivery_events e
      on e.organization_id = ? and e.application_id = p.application_id and e.happened_at = p.happened_at and e.id = p.id
    left join calends_notifications n on n.organization_id = e.organization_id and n.id = e.notification_id
    ${withCustomer}`,
  filled: 'e_id',
  read: (row) => ({
    event: readDeliveryEvent(row),
    notification: readNotification(row),
    customer: joinedCustomer(row),
  }),
};
