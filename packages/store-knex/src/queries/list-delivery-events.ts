import type { ListedDeliveryEvent, NotificationEventSortField } from '@calends/core/store';
import { deliveryEventTable, readDeliveryEvent } from '../tables/delivery-events.js';
import { readNotification } from '../tables/notifications.js';
import type { PageSource } from './notification-page.js';
import { joinedCustomer, notificationAndCustomer, withCustomer } from './notification-parts.js';

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
