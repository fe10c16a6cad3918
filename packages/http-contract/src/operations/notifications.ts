import { operationsOf } from '../operation.js';
import {
  listNotificationEventsQuerySchema,
  listNotificationsQuerySchema,
  replayWebhookEndpointQuerySchema,
  webhookEndpointQuerySchema,
} from '../schemas/notification-queries.js';
import {
  listApplicationNotificationEventsResponsePagedSchema,
  listApplicationNotificationsResponsePagedSchema,
  notificationPollPropertiesSchema,
  notificationStatusSchema,
  webhookEndpointDetailsSchema,
  webhookEndpointReplaySchema,
  webhookEndpointSchema,
  webhookEndpointsSchema,
  webhookEndpointTestSchema,
  webhookNotificationTypesSchema,
} from '../schemas/notification-responses.js';
import { administrators, agentsAndSupervisors } from '../roles.js';

/*
 * The notification family (notification spec: Endpoints). The document lists 400 for retry only; a query that breaks a rule
 * is answered with 400 on the lists too (D33, D35).
 */

/** What holds for every operation of the family unless it says otherwise. */
const family = { family: 'notifications', tag: 'Notifications' } as const;

const listing = {
  method: 'GET',
  roles: agentsAndSupervisors,
  statuses: [200, 401, 403, 500],
  also: [400],
} as const;

/** What holds for the endpoints of web hooks (D78): ids are those of the host's settings. */
const endpoints = {
  optional: 'webhookEndpoints',
  roles: administrators,
  query: webhookEndpointQuerySchema,
} as const;
const oneEndpoint = { ...endpoints, pathParameters: [{ name: 'id', description: 'Id of the endpoint.' }] } as const;
const changedEndpoint = {
  ...oneEndpoint,
  statuses: [200, 400, 401, 403, 404, 500],
  acceptsIdempotencyKey: true,
} as const;

/** The operations under `/api/notifications`, by id. */
export const notificationOperations = operationsOf(family, {
  listNotifications: {
    ...listing,
    useCase: 'listNotifications',
    path: '/api/notifications/',
    summary: 'List notification statuses',
    description:
      'A page of delivery statuses of the notifications of one application. Agents see those of their own appointments, ' +
      'where agents see only their own appointments (the default).',
    query: listNotificationsQuerySchema,
    success: { status: 200, schema: listApplicationNotificationsResponsePagedSchema },
  },
  listNotificationEvents: {
    ...listing,
    useCase: 'listDeliveryEvents',
    path: '/api/notifications/events',
    summary: 'List notification events',
    description:
      'A page of the delivery events behind the statuses of one application. Agents see those of their own appointments, ' +
      'where agents see only their own appointments (the default).',
    query: listNotificationEventsQuerySchema,
    success: { status: 200, schema: listApplicationNotificationEventsResponsePagedSchema },
  },
  getPollProperties: {
    useCase: 'pollProperties',
    method: 'GET',
    path: '/api/notifications/applications/{id}/poll',
    summary: 'Get the polling settings of an application',
    description:
      'How delivery is polled for. A setting that the application does not override shows the system default.',
    roles: administrators,
    pathParameters: [{ name: 'id', description: 'Application id.' }],
    success: { status: 200, schema: notificationPollPropertiesSchema },
    statuses: [200, 401, 403, 500],
    // 404: an id that cannot be one, such as a NUL; an unknown application answers the defaults (D58).
    also: [404],
  },
  listWebhookTypes: {
    useCase: 'webhookTypes',
    method: 'GET',
    path: '/api/notifications/webhooks/types',
    summary: 'List webhook notification types',
    description: 'The notification types that web hooks can receive.',
    roles: administrators,
    success: { status: 200, schema: webhookNotificationTypesSchema },
    statuses: [200, 401, 403, 500],
  },
  retryNotification: {
    useCase: 'retryNotification',
    method: 'PUT',
    path: '/api/notifications/{id}/retry',
    summary: 'Retry a notification',
    description:
      'Makes another attempt to deliver a failed or pending notification. Agents may retry those of their own appointments, ' +
      'where agents see only their own appointments (the default).',
    roles: agentsAndSupervisors,
    pathParameters: [{ name: 'id', description: 'Notification status id.' }],
    success: { status: 200, schema: notificationStatusSchema },
    statuses: [200, 400, 401, 403, 404, 500],
    acceptsIdempotencyKey: true,
  },
  listWebhookEndpoints: {
    ...endpoints,
    useCase: 'listEndpoints',
    method: 'GET',
    path: '/api/notifications/webhooks/endpoints',
    summary: 'List web hook endpoints',
    description:
      'The web hook endpoints of one application and whether anything is sent to them, without addresses and secrets. An ' +
      'unknown application has none.',
    success: { status: 200, schema: webhookEndpointsSchema },
    statuses: [200, 400, 401, 403, 500],
  },
  getWebhookEndpoint: {
    ...oneEndpoint,
    useCase: 'getEndpoint',
    method: 'GET',
    path: '/api/notifications/webhooks/endpoints/{id}',
    summary: 'Get a web hook endpoint',
    description: 'One endpoint with what failed last.',
    success: { status: 200, schema: webhookEndpointDetailsSchema },
    statuses: [200, 400, 401, 403, 404, 500],
  },
  enableWebhookEndpoint: {
    ...changedEndpoint,
    useCase: 'enableEndpoint',
    method: 'PUT',
    path: '/api/notifications/webhooks/endpoints/{id}/enable',
    summary: 'Enable a web hook endpoint',
    description:
      'Sends to the endpoint again, in every process within a second. What failed meanwhile stays so until it is replayed.',
    success: { status: 200, schema: webhookEndpointSchema },
  },
  disableWebhookEndpoint: {
    ...changedEndpoint,
    useCase: 'disableEndpoint',
    method: 'PUT',
    path: '/api/notifications/webhooks/endpoints/{id}/disable',
    summary: 'Disable a web hook endpoint',
    description:
      'Sends nothing more to the endpoint, in every process within 30 seconds: what is due for it fails without an attempt.',
    success: { status: 200, schema: webhookEndpointSchema },
  },
  testWebhookEndpoint: {
    ...changedEndpoint,
    useCase: 'testEndpoint',
    method: 'POST',
    path: '/api/notifications/webhooks/endpoints/{id}/test',
    summary: 'Test a web hook endpoint',
    description:
      'Makes one signed call of the type TEST to the endpoint, also to a disabled one, and waits 8 seconds at most. It keeps no ' +
      'notification and changes nothing of the endpoint. 429 while another test of it is under way.',
    success: { status: 200, schema: webhookEndpointTestSchema },
  },
  replayWebhookEndpoint: {
    ...changedEndpoint,
    useCase: 'replayEndpoint',
    method: 'POST',
    path: '/api/notifications/webhooks/endpoints/{id}/replay',
    summary: 'Replay what failed for a web hook endpoint',
    description:
      'Retries by hand what has failed for the endpoint since a time, oldest first. One request looks at 100 failures; the next ' +
      'one goes on with `after` = `next`. 400 `retry_not_allowed` while the endpoint is disabled.',
    query: replayWebhookEndpointQuerySchema,
    success: { status: 200, schema: webhookEndpointReplaySchema },
  },
});
