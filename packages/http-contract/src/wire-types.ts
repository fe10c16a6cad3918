import type * as z from 'zod';
import type {
  countAppointmentsQuerySchema,
  listAppointmentsQuerySchema,
  listAppointmentsQueryV1Schema,
  listEligibleAppointmentsQuerySchema,
} from './schemas/appointment-queries.js';
import type {
  cancelAppointmentBodySchema,
  reassignAppointmentRequestSchema,
  rescheduleAppointmentRequestSchema,
  scheduleAppointmentRequestSchema,
  scheduleAppointmentRequestV1Schema,
  updateAppointmentRequestSchema,
  updateAppointmentRequestV1Schema,
} from './schemas/appointment-requests.js';
import type {
  appointmentActivationResponseSchema,
  appointmentResponseV1Schema,
  findAppointmentsResponsePagedV1Schema,
} from './schemas/appointment-responses-v1.js';
import type {
  appointmentCountResponseSchema,
  appointmentResponseSchema,
  findAppointmentsResponsePagedSchema,
} from './schemas/appointment-responses.js';
import type { customerSchema, updatedCustomerSchema, updatedCustomerV1Schema } from './schemas/customer.js';
import type {
  listNotificationEventsQuerySchema,
  listNotificationsQuerySchema,
} from './schemas/notification-queries.js';
import type {
  listApplicationNotificationEventsResponsePagedSchema,
  listApplicationNotificationsResponsePagedSchema,
  notificationEventSchema,
  notificationPollPropertiesSchema,
  notificationStatusSchema,
  webhookEndpointDetailsSchema,
  webhookEndpointReplaySchema,
  webhookEndpointSchema,
  webhookEndpointsSchema,
  webhookEndpointTestSchema,
  webhookNotificationTypesSchema,
} from './schemas/notification-responses.js';
import type { problemSchema } from './schemas/problem.js';

/*
 * The shapes on the wire, as TypeScript types: bodies as they are sent, queries as they are read.
 */

/** A customer in create requests. */
export type Customer = z.infer<typeof customerSchema>;
/** The customer of a v2 update, addressed by participant id. */
export type UpdatedCustomer = z.infer<typeof updatedCustomerSchema>;
/** The customer of a v1 update, addressed by participant id. */
export type UpdatedCustomerV1 = z.infer<typeof updatedCustomerV1Schema>;
/** Body of v2 create and customer-create. */
export type ScheduleAppointmentRequest = z.infer<typeof scheduleAppointmentRequestSchema>;
/** Body of v1 create and customer-create. */
export type ScheduleAppointmentRequestV1 = z.infer<typeof scheduleAppointmentRequestV1Schema>;
/** Body of v2 update: absent keeps, empty clears. */
export type UpdateAppointmentRequest = z.infer<typeof updateAppointmentRequestSchema>;
/** Body of v1 update: absent keeps, empty clears. */
export type UpdateAppointmentRequestV1 = z.infer<typeof updateAppointmentRequestV1Schema>;
/** Body of reassign, v1 and v2. */
export type ReassignAppointmentRequest = z.infer<typeof reassignAppointmentRequestSchema>;
/** Body of reschedule, v1 and v2. */
export type RescheduleAppointmentRequest = z.infer<typeof rescheduleAppointmentRequestSchema>;
/** Body of cancel; may be absent. */
export type CancelAppointmentBody = z.infer<typeof cancelAppointmentBodySchema>;

/** Query of the v2 list, as read. */
export type ListAppointmentsQuery = z.output<typeof listAppointmentsQuerySchema>;
/** Query of the v1 list, as read. */
export type ListAppointmentsQueryV1 = z.output<typeof listAppointmentsQueryV1Schema>;
/** Query of count and overlap count, as read. */
export type CountAppointmentsQuery = z.output<typeof countAppointmentsQuerySchema>;
/** Query of eligible, as read. */
export type ListEligibleAppointmentsQuery = z.output<typeof listEligibleAppointmentsQuerySchema>;
/** Query of the list of notification statuses, as read. */
export type ListNotificationsQuery = z.output<typeof listNotificationsQuerySchema>;
/** Query of the list of notification events, as read. */
export type ListNotificationEventsQuery = z.output<typeof listNotificationEventsQuerySchema>;

/** An appointment in v2 answers. */
export type AppointmentResponse = z.infer<typeof appointmentResponseSchema>;
/** An appointment in v1 answers. */
export type AppointmentResponseV1 = z.infer<typeof appointmentResponseV1Schema>;
/** Answer of v1 activation. */
export type AppointmentActivationResponse = z.infer<typeof appointmentActivationResponseSchema>;
/** A page of appointments (v2). */
export type FindAppointmentsResponsePaged = z.infer<typeof findAppointmentsResponsePagedSchema>;
/** A page of appointments (v1). */
export type FindAppointmentsResponsePagedV1 = z.infer<typeof findAppointmentsResponsePagedV1Schema>;
/** One counted window. */
export type AppointmentCountResponse = z.infer<typeof appointmentCountResponseSchema>;
/** Delivery status of one notification. */
export type NotificationStatus = z.infer<typeof notificationStatusSchema>;
/** One delivery event of a notification. */
export type NotificationEvent = z.infer<typeof notificationEventSchema>;
/** A page of notification statuses. */
export type ListApplicationNotificationsResponsePaged = z.infer<typeof listApplicationNotificationsResponsePagedSchema>;
/** A page of notification events. */
export type ListApplicationNotificationEventsResponsePaged = z.infer<
  typeof listApplicationNotificationEventsResponsePagedSchema
>;
/** Polling settings of an application. */
export type NotificationPollProperties = z.infer<typeof notificationPollPropertiesSchema>;
/** Webhook notification types that are supported. */
export type WebhookNotificationTypes = z.infer<typeof webhookNotificationTypesSchema>;
/** A web hook endpoint (D78). */
export type WebhookEndpoint = z.infer<typeof webhookEndpointSchema>;
/** All web hook endpoints of an application (D78). */
export type WebhookEndpoints = z.infer<typeof webhookEndpointsSchema>;
/** A web hook endpoint with what failed last (D78). */
export type WebhookEndpointDetails = z.infer<typeof webhookEndpointDetailsSchema>;
/** What became of a test call (D78). */
export type WebhookEndpointTest = z.infer<typeof webhookEndpointTestSchema>;
/** What one request of a replay did (D78). */
export type WebhookEndpointReplay = z.infer<typeof webhookEndpointReplaySchema>;
/** Body of every error answer. */
export type Problem = z.infer<typeof problemSchema>;
