import { presentEvent, presentStatus } from '../presenters/notification.js';
import { presentPage } from '../presenters/page.js';
import { notificationListQuery } from './commands.js';
import type { Handlers } from './handler.js';

/** The operations under `/api/notifications`. */
export const notificationHandlers: Handlers<
  'listNotifications' | 'listNotificationEvents' | 'getPollProperties' | 'listWebhookTypes' | 'retryNotification'
> = {
  async listNotifications({ notifications }, { identity, query }) {
    return {
      content: presentPage(await notifications.listStatuses(identity, notificationListQuery(query)), presentStatus),
    };
  },
  async listNotificationEvents({ notifications }, { identity, query }) {
    return {
      content: presentPage(await notifications.listEvents(identity, notificationListQuery(query)), presentEvent),
    };
  },
  async getPollProperties({ notifications }, { identity, id }) {
    return { content: { properties: await notifications.pollProperties(identity, id) } };
  },
  listWebhookTypes({ notifications }) {
    return Promise.resolve({ content: { types: notifications.webhookTypes() } });
  },
  async retryNotification({ notifications }, { identity, id, call }) {
    return { content: presentStatus(await notifications.retry(identity, id, call)) };
  },
};
