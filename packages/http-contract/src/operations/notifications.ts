import { additiveStatuses, defineOperation, operationDefaults } from '../operation.js';
import { listNotificationEventsQuerySchema, listNotificationsQuerySchema } from '../schemas/notification-queries.js';
import {
  listApplicationNotificationEventsResponsePagedSchema,
  listApplicationNotificationsResponsePagedSchema,
  notificationPollPropertiesSchema,
  notificationStatusSchema,
  webhookNotificationTypesSchema,
} from '../schemas/notification-responses.js';
import { administrators, agentsAndSupervisors } from './role-rules.js';

/*
 * The notification family (notification spec: Endpoints). The document lists 400 for retry only; a query that breaks a rule
 * is answered with 400 on the lists too (D33, D35).
 */

/** What holds for every operation of the family unless it says otherwise. */
const family = {
  ...operationDefaults,
  family: 'notifications',
  tag: 'Notifications',
} as const;

const listNotifications = defineOperation({
  ...family,
  id: 'listNotifications',
  useCase: 'listNotifications',
  method: 'GET',
  path: '/api/notifications/',
  summary: 'List notification statuses',
  description:
    'A page of delivery statuses of the notifications of one application. Agents see those of their own appointments, ' +
    'where agents see only their own appointments (the default).',
  roles: agentsAndSupervisors,
  query: listNotificationsQuerySchema,
  limiterClass: 'read',
  success: { status: 200, schema: listApplicationNotificationsResponsePagedSchema },
  statuses: [200, 401, 403, 500],
  additiveStatuses: additiveStatuses({ also: [400] }),
});

const listNotificationEvents = defineOperation({
  ...family,
  id: 'listNotificationEvents',
  useCase: 'listDeliveryEvents',
  method: 'GET',
  path: '/api/notifications/events',
  summary: 'List notification events',
  description:
    'A page of the delivery events behind the statuses of one application. Agents see those of their own appointments, ' +
    'where agents see only their own appointments (the default).',
  roles: agentsAndSupervisors,
  query: listNotificationEventsQuerySchema,
  limiterClass: 'read',
  success: { status: 200, schema: listApplicationNotificationEventsResponsePagedSchema },
  statuses: [200, 401, 403, 500],
  additiveStatuses: additiveStatuses({ also: [400] }),
});

const getPollProperties = defineOperation({
  ...family,
  id: 'getPollProperties',
  useCase: 'pollProperties',
  method: 'GET',
  path: '/api/notifications/applications/{id}/poll',
  summary: 'Get the polling settings of an application',
  description: 'How delivery is polled for. A setting that the application does not override shows the system default.',
  roles: administrators,
  pathParameters: [{ name: 'id', description: 'Application id.' }],
  limiterClass: 'read',
  success: { status: 200, schema: notificationPollPropertiesSchema },
  statuses: [200, 401, 403, 500],
  // 404: an id that cannot be one, such as a NUL; an unknown application answers the defaults (D58).
  additiveStatuses: additiveStatuses({ also: [404] }),
});

const listWebhookTypes = defineOperation({
  ...family,
  id: 'listWebhookTypes',
  useCase: 'webhookTypes',
  method: 'GET',
  path: '/api/notifications/webhooks/types',
  summary: 'List webhook notification types',
  description: 'The notification types that web hooks can receive.',
  roles: administrators,
  limiterClass: 'read',
  success: { status: 200, schema: webhookNotificationTypesSchema },
  statuses: [200, 401, 403, 500],
  additiveStatuses: additiveStatuses({}),
});

const retryNotification = defineOperation({
  ...family,
  id: 'retryNotification',
  useCase: 'retryNotification',
  method: 'PUT',
  path: '/api/notifications/{id}/retry',
  summary: 'Retry a notification',
  description:
    'Makes another attempt to deliver a failed or pending notification. Agents may retry those of their own appointments, ' +
    'where agents see only their own appointments (the default).',
  roles: agentsAndSupervisors,
  pathParameters: [{ name: 'id', description: 'Notification status id.' }],
  limiterClass: 'write',
  success: { status: 200, schema: notificationStatusSchema },
  statuses: [200, 400, 401, 403, 404, 500],
  additiveStatuses: additiveStatuses({ idempotencyKey: true }),
  acceptsIdempotencyKey: true,
});

/** The operations under `/api/notifications`, by id. */
export const notificationOperations = {
  listNotifications,
  listNotificationEvents,
  getPollProperties,
  listWebhookTypes,
  retryNotification,
} as const;
