import * as z from 'zod';
import {
  limits,
  notificationChannels,
  notificationEventSortFields,
  notificationSortFields,
  notificationStates,
  notificationTypes,
  sortOrders,
} from '@calends/model';
import { pagingParameters } from './appointment-queries.js';
import { textParameter, wordParameter, wordsParameter } from './query-parameters.js';

const listParameters = {
  applicationId: textParameter(limits.id, 'Application whose notifications are listed.'),
  ...pagingParameters,
  sortOrder: wordParameter(sortOrders, 'Direction of the sort. Default `desc`.').optional(),
  type: wordsParameter(notificationTypes, 'Only notifications of these types; any letter case.').optional(),
  channel: wordsParameter(notificationChannels, 'Only notifications over these channels; any letter case.').optional(),
  status: wordsParameter(notificationStates, 'Only notifications in one of these states; any letter case.').optional(),
  from: textParameter(limits.instant, 'Start of the search window, inclusive, ISO 8601.', 'date-time').optional(),
  to: textParameter(limits.instant, 'End of the search window, exclusive, ISO 8601.', 'date-time').optional(),
};

/** Query of the list of statuses (notification spec: Endpoints). */
export const listNotificationsQuerySchema = z.object({
  ...listParameters,
  sortField: wordParameter(notificationSortFields, 'Field to sort by. Default `createdAt`.').optional(),
});
/** Query of the list of notification statuses, as read. */
export type ListNotificationsQuery = z.output<typeof listNotificationsQuerySchema>;

/** Query of the list of delivery events (notification spec: Endpoints). */
export const listNotificationEventsQuerySchema = z.object({
  ...listParameters,
  sortField: wordParameter(notificationEventSortFields, 'Field to sort by. Default `timestamp`.').optional(),
});
/** Query of the list of notification events, as read. */
export type ListNotificationEventsQuery = z.output<typeof listNotificationEventsQuerySchema>;

const endpointParameters = { applicationId: textParameter(limits.id, 'Application whose endpoints are meant.') };

/** Query of what is done with web hook endpoints (D78). */
export const webhookEndpointQuerySchema = z.object(endpointParameters);

/** Query of a replay (D78). */
export const replayWebhookEndpointQuerySchema = z.object({
  ...endpointParameters,
  since: textParameter(limits.instant, 'What has failed since then, inclusive, ISO 8601.', 'date-time'),
  after: textParameter(limits.replayPlace, '`next` of the request before; absent = from `since` on.').optional(),
});
