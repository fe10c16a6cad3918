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
export { checkJson, decodeBody, type Decoded, decodeQuery } from './decode.js';
export { type FieldSource, jsonPointer, zodIssuesToFieldErrors } from './field-errors.js';
export {
  bodyLimits,
  type LimiterClass,
  type OperationAuthentication,
  type OperationFamily,
  type OperationOf,
  type OptionalOperation,
  optionalOperations,
  type PathParameter,
} from './operation.js';
export { type OpenApiDocument, openApiDocument, type OpenApiOptions } from './openapi/document.js';
export type { DocumentObject } from './openapi/components.js';
export { type ProblemDefinition, problemOf, problems, problemType } from './problems.js';
export { type RoleCondition, roleConditions, type RoleRule } from './roles.js';
export {
  type CountAppointmentsQuery,
  countAppointmentsQuerySchema,
  type ListAppointmentsQuery,
  listAppointmentsQuerySchema,
  type ListAppointmentsQueryV1,
  listAppointmentsQueryV1Schema,
  type ListEligibleAppointmentsQuery,
  listEligibleAppointmentsQuerySchema,
} from './schemas/appointment-queries.js';
export {
  type CancelAppointmentBody,
  cancelAppointmentBodySchema,
  type ReassignAppointmentRequest,
  reassignAppointmentRequestSchema,
  type RescheduleAppointmentRequest,
  rescheduleAppointmentRequestSchema,
  type RescheduleAppointmentRequestV1,
  rescheduleAppointmentRequestV1Schema,
  type ScheduleAppointmentRequest,
  scheduleAppointmentRequestSchema,
  type ScheduleAppointmentRequestV1,
  scheduleAppointmentRequestV1Schema,
  type UpdateAppointmentRequest,
  updateAppointmentRequestSchema,
  type UpdateAppointmentRequestV1,
  updateAppointmentRequestV1Schema,
} from './schemas/appointment-requests.js';
export {
  type AppointmentActivationResponse,
  appointmentActivationResponseSchema,
  type AppointmentResponseV1,
  appointmentResponseV1Schema,
  type FindAppointmentsResponsePagedV1,
  findAppointmentsResponsePagedV1Schema,
} from './schemas/appointment-responses-v1.js';
export {
  type Explanation,
  explanationSchema,
  type HeldTime,
  heldTimeSchema,
  type HoursException,
  hoursExceptionSchema,
  hoursExceptionsSchema,
  type HoursOfActor,
  hoursOfActorSchema,
  hoursOfActorsSchema,
  type Offers,
  offersSchema,
  type Service,
  serviceResponseSchema,
  servicesSchema,
} from './schemas/availability-responses.js';
export { type HoldRequest, holdRequestSchema } from './schemas/availability-requests.js';
export {
  type AvailabilityQuery,
  availabilityQuerySchema,
  type ExplainQuery,
  explainQuerySchema,
} from './schemas/availability-queries.js';
export {
  type AppointmentCountResponse,
  appointmentCountResponseSchema,
  type AppointmentResponse,
  appointmentResponseSchema,
  type FindAppointmentsResponsePaged,
  findAppointmentsResponsePagedSchema,
} from './schemas/appointment-responses.js';
export {
  type Customer,
  customerSchema,
  type UpdatedCustomer,
  updatedCustomerSchema,
  type UpdatedCustomerV1,
  updatedCustomerV1Schema,
} from './schemas/customer.js';
export {
  customerSessionRequestSchema,
  customerSessionResponseSchema,
  oneTimePasswordRequestSchema,
} from './schemas/customer-proofs.js';
export {
  type ListNotificationEventsQuery,
  listNotificationEventsQuerySchema,
  type ListNotificationsQuery,
  listNotificationsQuerySchema,
} from './schemas/notification-queries.js';
export {
  type ListApplicationNotificationEventsResponsePaged,
  listApplicationNotificationEventsResponsePagedSchema,
  type ListApplicationNotificationsResponsePaged,
  listApplicationNotificationsResponsePagedSchema,
  type NotificationEvent,
  notificationEventSchema,
  type NotificationPollProperties,
  notificationPollPropertiesSchema,
  type NotificationStatus,
  notificationStatusSchema,
  type WebhookEndpoint,
  type WebhookEndpointDetails,
  webhookEndpointDetailsSchema,
  type WebhookEndpointReplay,
  webhookEndpointReplaySchema,
  type WebhookEndpoints,
  webhookEndpointSchema,
  webhookEndpointsSchema,
  type WebhookEndpointTest,
  webhookEndpointTestSchema,
  type WebhookNotificationTypes,
  webhookNotificationTypesSchema,
} from './schemas/notification-responses.js';
export { type Problem, problemSchema } from './schemas/problem.js';
export type { RangePair } from './schemas/query-parameters.js';
