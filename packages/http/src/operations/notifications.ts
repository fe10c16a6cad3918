import { presentEndpoint, presentEndpointDetails, presentEvent, presentStatus } from '../presenters/notification.js';
import { presentPage } from '../presenters/page.js';
import type { NotificationListQuery } from '@calends/core/operations';
import type { ListNotificationEventsQuery, ListNotificationsQuery } from '@calends/http-contract';
import type { Handlers } from './handler.js';

/** The operations under `/api/notifications`. */
export const notificationHandlers = {
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
  async listWebhookEndpoints({ notifications }, { identity, query }) {
    const endpoints = await notifications.listEndpoints(identity, query.applicationId);
    return { content: { endpoints: endpoints.map(presentEndpoint) } };
  },
  async getWebhookEndpoint({ notifications }, { identity, id, query }) {
    const endpoint = await notifications.getEndpoint(identity, { ...query, endpointId: id });
    return { content: presentEndpointDetails(endpoint) };
  },
  async enableWebhookEndpoint({ notifications }, { identity, id, query, call }) {
    return {
      content: presentEndpoint(await notifications.enableEndpoint(identity, { ...query, endpointId: id }, call)),
    };
  },
  async disableWebhookEndpoint({ notifications }, { identity, id, query, call }) {
    return {
      content: presentEndpoint(await notifications.disableEndpoint(identity, { ...query, endpointId: id }, call)),
    };
  },
  async testWebhookEndpoint({ notifications }, { identity, id, query, call }) {
    return { content: await notifications.testEndpoint(identity, { ...query, endpointId: id }, call) };
  },
  async replayWebhookEndpoint({ notifications }, { identity, id, query, call }) {
    return { content: await notifications.replayEndpoint(identity, { ...query, endpointId: id }, call) };
  },
} satisfies Partial<Handlers>;

/** The filters of both notification lists (notification document: Query parameters). */
function notificationListQuery<Query extends ListNotificationsQuery | ListNotificationEventsQuery>(
  query: Query,
): NotificationListQuery<NonNullable<Query['sortField']>> {
  const { type, channel, status, ...rest } = query;
  return { ...rest, types: type, channels: channel, statuses: status };
}
