/**
 * The HTTP interface of Calends as data: every operation with its roles, schemas and statuses, the problem codes, and the
 * OpenAPI 3.1 document made from them. Usable without any server code, in a browser too.
 *
 * @packageDocumentation
 */
export {
  type AppointmentOperationId,
  documentedOperations,
  type Operation,
  operationById,
  type OperationId,
  operations,
  type UseCaseName,
} from './catalogue.js';
export { decodeBody, decodeQuery } from './decode.js';
export type { Decoded } from './decode.js';
export { zodIssuesToFieldErrors } from './field-errors.js';
export type { FieldSource } from './field-errors.js';
export { jsonPointer } from './json-pointer.js';
export { bodyLimits } from './limits.js';
export {
  type LimiterClass,
  type OperationAuthentication,
  type OperationFamily,
  type OperationOf,
  type OptionalOperation,
  optionalOperations,
  type PathParameter,
} from './operation.js';
export { openApiDocument } from './openapi/document.js';
export type { OpenApiDocument, OpenApiOptions } from './openapi/document.js';
export type { DocumentObject } from './openapi/components.js';
export { problems, problemType } from './problems.js';
export type { ProblemDefinition } from './problems.js';
export { roleConditions } from './roles.js';
export type { RoleCondition, RoleRule } from './roles.js';
export { checkJson } from './safe-json.js';
export {
  countAppointmentsQuerySchema,
  listAppointmentsQuerySchema,
  listAppointmentsQueryV1Schema,
  listEligibleAppointmentsQuerySchema,
} from './schemas/appointment-queries.js';
export {
  cancelAppointmentBodySchema,
  reassignAppointmentRequestSchema,
  rescheduleAppointmentRequestSchema,
  scheduleAppointmentRequestSchema,
  scheduleAppointmentRequestV1Schema,
  updateAppointmentRequestSchema,
  updateAppointmentRequestV1Schema,
} from './schemas/appointment-requests.js';
export {
  appointmentActivationResponseSchema,
  appointmentResponseV1Schema,
  findAppointmentsResponsePagedV1Schema,
} from './schemas/appointment-responses-v1.js';
export {
  appointmentCountResponseSchema,
  appointmentResponseSchema,
  findAppointmentsResponsePagedSchema,
} from './schemas/appointment-responses.js';
export { customerSchema, updatedCustomerSchema, updatedCustomerV1Schema } from './schemas/customer.js';
export {
  customerSessionRequestSchema,
  customerSessionResponseSchema,
  oneTimePasswordRequestSchema,
} from './schemas/customer-proofs.js';
export { listNotificationEventsQuerySchema, listNotificationsQuerySchema } from './schemas/notification-queries.js';
export {
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
export { problemSchema } from './schemas/problem.js';
export type { RangePair } from './schemas/query-parameters.js';
export type {
  AppointmentActivationResponse,
  AppointmentCountResponse,
  AppointmentResponse,
  AppointmentResponseV1,
  CancelAppointmentBody,
  CountAppointmentsQuery,
  Customer,
  FindAppointmentsResponsePaged,
  FindAppointmentsResponsePagedV1,
  ListApplicationNotificationEventsResponsePaged,
  ListApplicationNotificationsResponsePaged,
  ListAppointmentsQuery,
  ListAppointmentsQueryV1,
  ListEligibleAppointmentsQuery,
  ListNotificationEventsQuery,
  ListNotificationsQuery,
  NotificationEvent,
  NotificationPollProperties,
  NotificationStatus,
  Problem,
  ReassignAppointmentRequest,
  RescheduleAppointmentRequest,
  ScheduleAppointmentRequest,
  ScheduleAppointmentRequestV1,
  UpdateAppointmentRequest,
  UpdateAppointmentRequestV1,
  UpdatedCustomer,
  UpdatedCustomerV1,
  WebhookEndpoint,
  WebhookEndpointDetails,
  WebhookEndpointReplay,
  WebhookEndpoints,
  WebhookEndpointTest,
  WebhookNotificationTypes,
} from './wire-types.js';
