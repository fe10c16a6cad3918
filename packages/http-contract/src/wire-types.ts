import type { z } from 'zod';
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
  webhookNotificationTypesSchema,
} from './schemas/notification-responses.js';
import type { problemSchema } from './schemas/problem.js';

/*
 * The shapes on the wire, as TypeScript types: bodies as they are sent, queries as they are read.
 */

export type Customer = z.infer<typeof customerSchema>;
export type UpdatedCustomer = z.infer<typeof updatedCustomerSchema>;
export type UpdatedCustomerV1 = z.infer<typeof updatedCustomerV1Schema>;
export type ScheduleAppointmentRequest = z.infer<typeof scheduleAppointmentRequestSchema>;
export type ScheduleAppointmentRequestV1 = z.infer<typeof scheduleAppointmentRequestV1Schema>;
export type UpdateAppointmentRequest = z.infer<typeof updateAppointmentRequestSchema>;
export type UpdateAppointmentRequestV1 = z.infer<typeof updateAppointmentRequestV1Schema>;
export type ReassignAppointmentRequest = z.infer<typeof reassignAppointmentRequestSchema>;
export type RescheduleAppointmentRequest = z.infer<typeof rescheduleAppointmentRequestSchema>;
export type CancelAppointmentBody = z.infer<typeof cancelAppointmentBodySchema>;

export type ListAppointmentsQuery = z.output<typeof listAppointmentsQuerySchema>;
export type ListAppointmentsQueryV1 = z.output<typeof listAppointmentsQueryV1Schema>;
export type CountAppointmentsQuery = z.output<typeof countAppointmentsQuerySchema>;
export type ListEligibleAppointmentsQuery = z.output<typeof listEligibleAppointmentsQuerySchema>;
export type ListNotificationsQuery = z.output<typeof listNotificationsQuerySchema>;
export type ListNotificationEventsQuery = z.output<typeof listNotificationEventsQuerySchema>;

export type AppointmentResponse = z.infer<typeof appointmentResponseSchema>;
export type AppointmentResponseV1 = z.infer<typeof appointmentResponseV1Schema>;
export type AppointmentActivationResponse = z.infer<typeof appointmentActivationResponseSchema>;
export type FindAppointmentsResponsePaged = z.infer<typeof findAppointmentsResponsePagedSchema>;
export type FindAppointmentsResponsePagedV1 = z.infer<typeof findAppointmentsResponsePagedV1Schema>;
export type AppointmentCountResponse = z.infer<typeof appointmentCountResponseSchema>;
export type NotificationStatus = z.infer<typeof notificationStatusSchema>;
export type NotificationEvent = z.infer<typeof notificationEventSchema>;
export type ListApplicationNotificationsResponsePaged = z.infer<typeof listApplicationNotificationsResponsePagedSchema>;
export type ListApplicationNotificationEventsResponsePaged = z.infer<
  typeof listApplicationNotificationEventsResponsePagedSchema
>;
export type NotificationPollProperties = z.infer<typeof notificationPollPropertiesSchema>;
export type WebhookNotificationTypes = z.infer<typeof webhookNotificationTypesSchema>;
export type Problem = z.infer<typeof problemSchema>;
