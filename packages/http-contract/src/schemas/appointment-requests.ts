import * as z from 'zod';
import { chatModes, limits, overridableReasons, routingTypes } from '@calends/model';
import { request, requestObject } from '../wire-documentation.js';
import { boundedArray, boundedTextMap, textMapDescription } from './bounded.js';
import { customerSchema, updatedCustomerSchema, updatedCustomerV1Schema } from './customer.js';
import { fields, optionalText, requiredText } from './request-fields.js';

const routing = requestObject('RoutingRequest', 'Routing of the customer through a chat or messaging channel.', {
  type: request(z.enum(routingTypes).nullish(), 'Routing provider. Default: the application’s.'),
  properties: request(
    z
      .object({
        deploymentId: optionalText(limits.routingKey, 'providerA. Default: the application’s.'),
        touchpointId: optionalText(limits.routingKey, 'providerB. Default: the application’s.'),
        chatMode: request(
          z.enum(chatModes).nullish(),
          'An explicit one is kept. Default: `providerB-digital-connect` for providerB; for providerA ' +
            '`providerA-web-messaging` in v2 and `providerA-cloud` in v1.',
        ),
      })
      .nullish(),
    'Keys of the provider.',
  ),
});

const interaction = requestObject('InteractionRequest', 'Interaction of a new appointment.', {
  customFields: request(boundedTextMap().nullish(), textMapDescription),
  routing: routing.nullish(),
});

const scheduleFields = {
  applicationId: fields.applicationId(),
  duration: fields.duration(),
  interaction: interaction.nullish(),
  locale: fields.locale(),
  metadata: fields.metadata(),
  notes: fields.notes(),
  notificationHeaders: fields.headersText(),
  start: fields.start(),
  targetAssignment: fields.targetAssignment(),
  timezone: fields.timezone(),
  title: fields.title(),
};

/** What a booking with a service says; v1 knows none of it. */
const serviceFields = {
  serviceId: optionalText(limits.id, 'Service that is booked: its rules hold, and its actors are chosen by it.'),
  holdToken: optionalText(
    limits.holdToken,
    'Token of the hold that this booking uses up; beside its `serviceId`, which only a move by a customer may leave out.',
  ),
  overrideRules: request(
    z.array(z.enum(overridableReasons)).max(overridableReasons.length).nullish(),
    'Rules of the service that are passed over; staff only, beside `serviceId`.',
  ),
};

/** Body of v2 create and customer-create (spec: ScheduleAppointmentRequest; D1). */
export const scheduleAppointmentRequestSchema = request(
  z.object({
    ...scheduleFields,
    ...serviceFields,
    customers: request(boundedArray(customerSchema, { min: 1, max: limits.customers }), 'One to 20 customers.'),
  }),
  { id: 'ScheduleAppointmentRequest', description: 'A new appointment (v2).' },
);
/** Body of v2 create and customer-create. */
export type ScheduleAppointmentRequest = z.infer<typeof scheduleAppointmentRequestSchema>;

/** Body of v1 create and customer-create (spec: v1 shape differences; D1). */
export const scheduleAppointmentRequestV1Schema = requestObject(
  'ScheduleAppointmentRequestV1',
  'A new appointment (v1): one customer.',
  { ...scheduleFields, customer: customerSchema },
);
/** Body of v1 create and customer-create. */
export type ScheduleAppointmentRequestV1 = z.infer<typeof scheduleAppointmentRequestV1Schema>;

const appointmentId = () => requiredText(limits.id, 'Id of the appointment.');

const updateFields = {
  id: appointmentId(),
  title: fields.title(),
  notes: fields.notes(),
  metadata: fields.clearableMetadata(),
  notificationHeaders: fields.headersMap(),
};

/** Body of v2 update: absent keeps; `""`, `{}` and `null` clear (spec: Update semantics; D2). */
export const updateAppointmentRequestSchema = requestObject(
  'UpdateAppointmentRequest',
  'Changes of an appointment (v2). An absent field keeps what was saved, an empty one clears it.',
  { ...updateFields, customer: updatedCustomerSchema.nullish() },
);
/** Body of v2 update: absent keeps, empty clears. */
export type UpdateAppointmentRequest = z.infer<typeof updateAppointmentRequestSchema>;

/** Body of v1 update: the customer is addressed by `participantId` (spec: v1 shape differences). */
export const updateAppointmentRequestV1Schema = requestObject(
  'UpdateAppointmentRequestV1',
  'Changes of an appointment (v1). An absent field keeps what was saved, an empty one clears it.',
  { ...updateFields, customer: updatedCustomerV1Schema.nullish() },
);
/** Body of v1 update: absent keeps, empty clears. */
export type UpdateAppointmentRequestV1 = z.infer<typeof updateAppointmentRequestV1Schema>;

/** Body of reassign, v1 and v2 (spec: ReassignAppointmentRequest; D22). */
export const reassignAppointmentRequestSchema = requestObject(
  'ReassignAppointmentRequest',
  'The appointment and its new agent.',
  { id: appointmentId(), userId: requiredText(limits.agentId, 'User id of the new agent.') },
);
/** Body of reassign, v1 and v2. */
export type ReassignAppointmentRequest = z.infer<typeof reassignAppointmentRequestSchema>;

const rescheduleFields = {
  id: appointmentId(),
  start: fields.start(),
  duration: fields.duration(),
  timezone: fields.timezone(),
  locale: request(
    z.string().max(limits.locale).nullish(),
    'Language tag, hyphenated; an underscore is accepted. Absent keeps.',
  ),
};

/** Body of v2 reschedule (spec: RescheduleAppointmentRequest; D2). */
export const rescheduleAppointmentRequestSchema = request(z.object({ ...rescheduleFields, ...serviceFields }), {
  id: 'RescheduleAppointmentRequest',
  description: 'The new schedule of an appointment (v2).',
});
/** Body of v2 reschedule. */
export type RescheduleAppointmentRequest = z.infer<typeof rescheduleAppointmentRequestSchema>;

/** Body of v1 reschedule (spec: RescheduleAppointmentRequest; D2). */
export const rescheduleAppointmentRequestV1Schema = request(z.object(rescheduleFields), {
  id: 'RescheduleAppointmentRequestV1',
  description: 'The new schedule of an appointment (v1).',
});
/** Body of v1 reschedule. */
export type RescheduleAppointmentRequestV1 = z.infer<typeof rescheduleAppointmentRequestV1Schema>;

/** Body of cancel; the whole body may be absent (spec: CancelAppointmentBody; D2). */
export const cancelAppointmentBodySchema = requestObject(
  'CancelAppointmentBody',
  'Optional details of a cancellation.',
  { cancelReason: optionalText(limits.cancelReason, 'Why the appointment is cancelled.') },
);
/** Body of cancel; may be absent. */
export type CancelAppointmentBody = z.infer<typeof cancelAppointmentBodySchema>;
