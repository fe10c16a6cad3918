import * as z from 'zod';
import { chatModes, limits, routingTypes } from '@calends/model';
import { request } from '../wire-documentation.js';
import { boundedArray, boundedTextMap } from './bounded.js';
import { customerSchema, updatedCustomerSchema, updatedCustomerV1Schema } from './customer.js';
import { fields, optionalText, requiredText } from './request-fields.js';

const routing = request(
  z.object({
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
  }),
  { id: 'RoutingRequest', description: 'Routing of the customer through a chat or messaging channel.' },
);

const interaction = request(
  z.object({
    customFields: request(
      boundedTextMap().nullish(),
      'Map of string to string: at most 64 names of 64 characters, values of 1024 characters.',
    ),
    routing: routing.nullish(),
  }),
  { id: 'InteractionRequest', description: 'Interaction of a new appointment.' },
);

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

/** Body of v2 create and customer-create (spec: ScheduleAppointmentRequest; D1). */
export const scheduleAppointmentRequestSchema = request(
  z.object({
    ...scheduleFields,
    customers: request(boundedArray(customerSchema, { min: 1, max: limits.customers }), 'One to 20 customers.'),
  }),
  { id: 'ScheduleAppointmentRequest', description: 'A new appointment (v2).' },
);
/** Body of v2 create and customer-create. */
export type ScheduleAppointmentRequest = z.infer<typeof scheduleAppointmentRequestSchema>;

/** Body of v1 create and customer-create (spec: v1 shape differences; D1). */
export const scheduleAppointmentRequestV1Schema = request(z.object({ ...scheduleFields, customer: customerSchema }), {
  id: 'ScheduleAppointmentRequestV1',
  description: 'A new appointment (v1): one customer.',
});
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
export const updateAppointmentRequestSchema = request(
  z.object({ ...updateFields, customer: updatedCustomerSchema.nullish() }),
  {
    id: 'UpdateAppointmentRequest',
    description: 'Changes of an appointment (v2). An absent field keeps what was saved, an empty one clears it.',
  },
);
/** Body of v2 update: absent keeps, empty clears. */
export type UpdateAppointmentRequest = z.infer<typeof updateAppointmentRequestSchema>;

/** Body of v1 update: the customer is addressed by `participantId` (spec: v1 shape differences). */
export const updateAppointmentRequestV1Schema = request(
  z.object({ ...updateFields, customer: updatedCustomerV1Schema.nullish() }),
  {
    id: 'UpdateAppointmentRequestV1',
    description: 'Changes of an appointment (v1). An absent field keeps what was saved, an empty one clears it.',
  },
);
/** Body of v1 update: absent keeps, empty clears. */
export type UpdateAppointmentRequestV1 = z.infer<typeof updateAppointmentRequestV1Schema>;

/** Body of reassign, v1 and v2 (spec: ReassignAppointmentRequest; D22). */
export const reassignAppointmentRequestSchema = request(
  z.object({ id: appointmentId(), userId: requiredText(limits.agentId, 'User id of the new agent.') }),
  { id: 'ReassignAppointmentRequest', description: 'The appointment and its new agent.' },
);
/** Body of reassign, v1 and v2. */
export type ReassignAppointmentRequest = z.infer<typeof reassignAppointmentRequestSchema>;

/** Body of reschedule, v1 and v2 (spec: RescheduleAppointmentRequest; D2). */
export const rescheduleAppointmentRequestSchema = request(
  z.object({
    id: appointmentId(),
    start: fields.start(),
    duration: fields.duration(),
    timezone: fields.timezone(),
    locale: request(
      z.string().max(limits.locale).nullish(),
      'Language tag, hyphenated; an underscore is accepted. Absent keeps.',
    ),
  }),
  { id: 'RescheduleAppointmentRequest', description: 'The new schedule of an appointment.' },
);
/** Body of reschedule, v1 and v2. */
export type RescheduleAppointmentRequest = z.infer<typeof rescheduleAppointmentRequestSchema>;

/** Body of cancel; the whole body may be absent (spec: CancelAppointmentBody; D2). */
export const cancelAppointmentBodySchema = request(
  z.object({ cancelReason: optionalText(limits.cancelReason, 'Why the appointment is cancelled.') }),
  { id: 'CancelAppointmentBody', description: 'Optional details of a cancellation.' },
);
/** Body of cancel; may be absent. */
export type CancelAppointmentBody = z.infer<typeof cancelAppointmentBodySchema>;
