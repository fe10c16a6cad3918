import * as z from 'zod';
import { bodyLimits } from '../limits.js';
import { additiveStatuses, defineOperation, operationDefaults } from '../operation.js';
import {
  countAppointmentsQuerySchema,
  listAppointmentsQueryV1Schema,
  listEligibleAppointmentsQuerySchema,
} from '../schemas/appointment-queries.js';
import {
  reassignAppointmentRequestSchema,
  rescheduleAppointmentRequestSchema,
  scheduleAppointmentRequestV1Schema,
  updateAppointmentRequestV1Schema,
} from '../schemas/appointment-requests.js';
import { appointmentCountResponseSchema } from '../schemas/appointment-responses.js';
import {
  appointmentActivationResponseSchema,
  appointmentResponseV1Schema,
  findAppointmentsResponsePagedV1Schema,
} from '../schemas/appointment-responses-v1.js';
import { agentsAndClientServices, anyRole, clientServices, noRole, staff, supervisors } from './role-rules.js';

/*
 * The v1 family: the operations of v2 without cancel, with the v1 shapes (spec: v1 operations).
 */

/** What holds for every operation of the family unless it says otherwise. */
const family = {
  ...operationDefaults,
  family: 'v1',
  tag: 'Appointments v1',
} as const;

const appointmentId = { name: 'id', description: 'Id of the appointment.' } as const;

const appointmentCounts = z.array(appointmentCountResponseSchema);

const listAppointmentsV1 = defineOperation({
  ...family,
  id: 'listAppointmentsV1',
  useCase: 'list',
  method: 'GET',
  path: '/api/appointments/',
  summary: 'List appointments',
  description:
    'A page of appointments, filtered and sorted. Where agents see only their own appointments (the default), ' +
    'callers who are not supervisors get those that they organize or are assigned to, whatever they filter by. ' +
    '404 when no appointment matches. Cancelled and aborted appointments are left out.',
  roles: staff,
  query: listAppointmentsQueryV1Schema,
  limiterClass: 'read',
  success: { status: 200, schema: findAppointmentsResponsePagedV1Schema },
  statuses: [200, 400, 401, 403, 404, 500],
  additiveStatuses: additiveStatuses({}),
});

const createAppointmentV1 = defineOperation({
  ...family,
  id: 'createAppointmentV1',
  useCase: 'schedule',
  method: 'POST',
  path: '/api/appointments/',
  summary: 'Create an appointment',
  description:
    'Schedules an appointment. Access details appear only after activation. Notifications are sent where they are ' +
    'active and configured.',
  roles: agentsAndClientServices,
  body: scheduleAppointmentRequestV1Schema,
  bodyRequired: true,
  bodyLimit: bodyLimits.appointment,
  limiterClass: 'write',
  success: { status: 200, schema: appointmentResponseV1Schema },
  statuses: [200, 400, 401, 403, 500],
  // 409: slot_conflict (D26), idempotency_in_progress.
  additiveStatuses: additiveStatuses({ body: true, idempotencyKey: true, also: [409] }),
  acceptsIdempotencyKey: true,
  answersETag: true,
});

const updateAppointmentV1 = defineOperation({
  ...family,
  id: 'updateAppointmentV1',
  useCase: 'update',
  method: 'PUT',
  path: '/api/appointments/',
  summary: 'Update an appointment',
  description:
    'Changes title, notes, metadata and notification headers and, when a customer object is given, the profile of ' +
    'that customer. An absent field keeps what was saved, an empty one clears it. Naming a customer who booked by ' +
    'themselves confirms them.',
  roles: staff,
  body: updateAppointmentRequestV1Schema,
  bodyRequired: true,
  bodyLimit: bodyLimits.appointment,
  limiterClass: 'write',
  success: { status: 200, schema: appointmentResponseV1Schema },
  statuses: [200, 400, 401, 403, 404, 500],
  additiveStatuses: additiveStatuses({ body: true, idempotencyKey: true, ifMatch: true }),
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
  answersETag: true,
});

const activateAppointmentV1 = defineOperation({
  ...family,
  id: 'activateAppointmentV1',
  useCase: 'activate',
  method: 'POST',
  path: '/api/appointments/activate/{id}',
  summary: 'Activate an appointment',
  description:
    'Opens the appointment for joining before, or instead of, automatic activation. Invites are sent where ' +
    'configured. Activating again answers the existing access details and makes nothing new.',
  roles: staff,
  pathParameters: [appointmentId],
  limiterClass: 'write',
  success: { status: 200, schema: appointmentActivationResponseSchema },
  statuses: [200, 400, 401, 403, 404, 500],
  additiveStatuses: additiveStatuses({ idempotencyKey: true, ifMatch: true }),
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
});

const createAppointmentAsCustomerV1 = defineOperation({
  ...family,
  id: 'createAppointmentAsCustomerV1',
  useCase: 'scheduleAsCustomer',
  method: 'POST',
  path: '/api/appointments/basic',
  summary: 'Create an appointment as a customer',
  description:
    'The same as create, for a customer who proves to be its customer: `Authorization: Basic` with user name and ' +
    'one-time password, no bearer token. Until staff confirms the customer, messages go only to the address that the ' +
    'password was sent to, and only that recognises the customer.',
  authentication: 'one-time-password',
  roles: noRole,
  body: scheduleAppointmentRequestV1Schema,
  bodyRequired: true,
  bodyLimit: bodyLimits.booking,
  limiterClass: 'proof',
  success: { status: 200, schema: appointmentResponseV1Schema },
  statuses: [200, 400, 401, 403, 500],
  additiveStatuses: additiveStatuses({ body: true, idempotencyKey: true, also: [409] }),
  acceptsIdempotencyKey: true,
  answersETag: true,
});

const reassignAppointmentV1 = defineOperation({
  ...family,
  id: 'reassignAppointmentV1',
  useCase: 'reassign',
  method: 'PUT',
  path: '/api/appointments/reassign/',
  summary: 'Reassign an appointment',
  description:
    'Replaces the organizer and every participant of type AGENT with the agent `userId`. Reassigning to the agent ' +
    'already assigned changes nothing.',
  roles: supervisors,
  body: reassignAppointmentRequestSchema,
  bodyRequired: true,
  bodyLimit: bodyLimits.fields,
  limiterClass: 'write',
  success: { status: 200, schema: appointmentResponseV1Schema },
  statuses: [200, 400, 401, 403, 404, 500],
  // 409: slot_conflict (D26), idempotency_in_progress.
  additiveStatuses: additiveStatuses({ body: true, idempotencyKey: true, ifMatch: true, also: [409] }),
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
  answersETag: true,
});

const rescheduleAppointmentV1 = defineOperation({
  ...family,
  id: 'rescheduleAppointmentV1',
  useCase: 'reschedule',
  method: 'PUT',
  path: '/api/appointments/reschedule/',
  summary: 'Reschedule an appointment',
  description:
    'Changes start, duration, time zone and locale. Access details of an activated appointment follow; its access ' +
    'address stays the same.',
  roles: staff,
  body: rescheduleAppointmentRequestSchema,
  bodyRequired: true,
  bodyLimit: bodyLimits.fields,
  limiterClass: 'write',
  success: { status: 200, schema: appointmentResponseV1Schema },
  statuses: [200, 400, 401, 403, 404, 500],
  // 409: slot_conflict (D26), idempotency_in_progress.
  additiveStatuses: additiveStatuses({ body: true, idempotencyKey: true, ifMatch: true, also: [409] }),
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
  answersETag: true,
});

const deleteAppointmentV1 = defineOperation({
  ...family,
  id: 'deleteAppointmentV1',
  useCase: 'remove',
  method: 'DELETE',
  path: '/api/appointments/{id}',
  summary: 'Remove an appointment',
  description:
    'Removes the appointment for good, with participants and schedule, from any state. Notifications may be sent ' +
    'where configured.',
  roles: staff,
  pathParameters: [appointmentId],
  limiterClass: 'write',
  success: { status: 204 },
  statuses: [204, 401, 403, 404, 500],
  // 400: a malformed Idempotency-Key, and nothing else: a malformed id is unknown (D9), a malformed If-Match matches no version.
  additiveStatuses: additiveStatuses({ idempotencyKey: true, ifMatch: true, also: [400] }),
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
});

const getAppointmentV1 = defineOperation({
  ...family,
  id: 'getAppointmentV1',
  useCase: 'get',
  method: 'GET',
  path: '/api/appointments/{id}',
  summary: 'Get an appointment',
  description:
    'One appointment; a cancelled or aborted one is not found. Access details only when it is activated. The ' +
    '`conferenceId` claim of a customer must match.',
  roles: [...staff, { role: 'ROLE_CUSTOMER', when: 'joinProof' }],
  pathParameters: [appointmentId],
  limiterClass: 'read',
  success: { status: 200, schema: appointmentResponseV1Schema },
  statuses: [200, 400, 401, 403, 404, 500],
  additiveStatuses: additiveStatuses({}),
  answersETag: true,
});

const countAppointmentsV1 = defineOperation({
  ...family,
  id: 'countAppointmentsV1',
  useCase: 'count',
  method: 'GET',
  path: '/api/appointments/count',
  summary: 'Count appointments in windows',
  description:
    'For each `start` the number of appointments that start in the window from it on, as long as `timeFrame`; ' +
    'cancelled and aborted ones do not count. Answers 0 where there is none.',
  authentication: 'bearer-unless-public',
  roles: anyRole,
  query: countAppointmentsQuerySchema,
  limiterClass: 'read',
  success: { status: 200, schema: appointmentCounts },
  statuses: [200, 400, 401, 403, 500],
  additiveStatuses: additiveStatuses({}),
});

const listEligibleAppointmentsV1 = defineOperation({
  ...family,
  id: 'listEligibleAppointmentsV1',
  useCase: 'listEligible',
  method: 'GET',
  path: '/api/appointments/eligible',
  summary: 'List appointments eligible for activation',
  description:
    'All scheduled appointments that are not yet activated, by id, without access details. An empty array when there is ' +
    'none. The answer is written while it is read: what changes meanwhile may be in it or not, never twice, and when it ' +
    'cannot be finished the connection ends without the end of the array.',
  deprecated: true,
  roles: clientServices,
  query: listEligibleAppointmentsQuerySchema,
  limiterClass: 'read',
  success: { status: 200, schema: z.array(appointmentResponseV1Schema) },
  statuses: [200, 400, 401, 403, 500],
  additiveStatuses: additiveStatuses({}),
});

/** The operations under `/api/appointments`, by id. */
export const appointmentV1Operations = {
  listAppointmentsV1,
  createAppointmentV1,
  updateAppointmentV1,
  activateAppointmentV1,
  createAppointmentAsCustomerV1,
  reassignAppointmentV1,
  rescheduleAppointmentV1,
  deleteAppointmentV1,
  getAppointmentV1,
  countAppointmentsV1,
  listEligibleAppointmentsV1,
} as const;
