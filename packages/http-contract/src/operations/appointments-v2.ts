import * as z from 'zod';
import { bodyLimits, operationsOf } from '../operation.js';
import {
  countAppointmentsQuerySchema,
  listAppointmentsQuerySchema,
  listEligibleAppointmentsQuerySchema,
} from '../schemas/appointment-queries.js';
import {
  cancelAppointmentBodySchema,
  reassignAppointmentRequestSchema,
  rescheduleAppointmentRequestSchema,
  scheduleAppointmentRequestSchema,
  updateAppointmentRequestSchema,
} from '../schemas/appointment-requests.js';
import {
  appointmentCountResponseSchema,
  appointmentResponseSchema,
  findAppointmentsResponsePagedSchema,
} from '../schemas/appointment-responses.js';
import { agentsAndClientServices, anyRole, clientServices, noRole, staff, supervisors } from '../roles.js';

/*
 * The v2 family: the twelve operations of the document, in its order, and the optional overlap count (D29).
 */

/** What holds for every operation of the family unless it says otherwise. */
const family = { family: 'v2', tag: 'Appointments v2' } as const;

const appointmentId = { name: 'id', description: 'Id of the appointment.' } as const;

const booking = {
  method: 'POST',
  body: scheduleAppointmentRequestSchema,
  bodyRequired: true,
  success: { status: 200, schema: appointmentResponseSchema },
  statuses: [200, 400, 401, 403, 500],
  // 404: an unknown service, or an agent whom it does not name. 409: slot_conflict (D26), hold_lost, idempotency_in_progress.
  also: [404, 409],
  acceptsIdempotencyKey: true,
  answersETag: true,
} as const;

const changing = {
  success: { status: 200, schema: appointmentResponseSchema },
  statuses: [200, 400, 401, 403, 404, 500],
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
  answersETag: true,
} as const;

const ending = {
  pathParameters: [appointmentId],
  success: { status: 204 },
  statuses: [204, 401, 403, 404, 500],
  // 409: invalid_state (D16), idempotency_in_progress. 400: a malformed Idempotency-Key, and of cancel a body that is not JSON or
  // breaks a rule (D2, D38); a malformed id is unknown (D9), and a malformed If-Match matches no version.
  also: [400, 409],
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
} as const;

const counting = {
  method: 'GET',
  authentication: 'bearer-unless-public',
  roles: anyRole,
  query: countAppointmentsQuerySchema,
  success: { status: 200, schema: z.array(appointmentCountResponseSchema) },
  statuses: [200, 400, 401, 403, 500],
} as const;

/** The operations under `/api/v2/appointments`, by id. */
export const appointmentV2Operations = operationsOf(family, {
  listAppointments: {
    useCase: 'list',
    method: 'GET',
    path: '/api/v2/appointments/',
    summary: 'List appointments',
    description:
      'A page of appointments, filtered and sorted. Where agents see only their own appointments (the default), ' +
      'callers who are not supervisors get those that they organize or are assigned to, whatever they filter by. ' +
      '404 when no appointment matches. Cancelled and aborted appointments are included unless `state` narrows.',
    roles: staff,
    query: listAppointmentsQuerySchema,
    success: { status: 200, schema: findAppointmentsResponsePagedSchema },
    statuses: [200, 400, 401, 403, 404, 500],
  },
  createAppointment: {
    ...booking,
    useCase: 'schedule',
    path: '/api/v2/appointments/',
    summary: 'Create an appointment',
    description:
      'Schedules an appointment. Access details appear only after activation. Notifications are sent where they are ' +
      'active and configured.',
    roles: agentsAndClientServices,
    bodyLimit: bodyLimits.appointment,
  },
  updateAppointment: {
    ...changing,
    useCase: 'update',
    method: 'PUT',
    path: '/api/v2/appointments/',
    summary: 'Update an appointment',
    description:
      'Changes title, notes, metadata and notification headers and, when a customer object is given, the profile of ' +
      'that customer. An absent field keeps what was saved, an empty one clears it. Naming a customer who booked by ' +
      'themselves confirms them.',
    roles: staff,
    body: updateAppointmentRequestSchema,
    bodyRequired: true,
    bodyLimit: bodyLimits.appointment,
  },
  activateAppointment: {
    ...changing,
    useCase: 'activate',
    method: 'POST',
    path: '/api/v2/appointments/activate/{id}',
    summary: 'Activate an appointment',
    description:
      'Opens the appointment for joining before, or instead of, automatic activation. Invites are sent where ' +
      'configured. Activating again answers the existing access details and makes nothing new.',
    roles: staff,
    pathParameters: [appointmentId],
  },
  createAppointmentAsCustomer: {
    ...booking,
    useCase: 'scheduleAsCustomer',
    path: '/api/v2/appointments/basic',
    summary: 'Create an appointment as a customer',
    description:
      'The same as create, for a customer who proves to be the first of its customers: `Authorization: Basic` with ' +
      'user name and one-time password, no bearer token. Until staff confirms a customer, messages go only to the address ' +
      'that the password was sent to, and only that recognises the customer.',
    authentication: 'one-time-password',
    roles: noRole,
    bodyLimit: bodyLimits.booking,
    limiterClass: 'proof',
  },
  reassignAppointment: {
    ...changing,
    useCase: 'reassign',
    method: 'PUT',
    path: '/api/v2/appointments/reassign/',
    summary: 'Reassign an appointment',
    description:
      'Replaces the organizer and every participant of type AGENT with the agent `userId`. Reassigning to the agent ' +
      'already assigned changes nothing.',
    roles: [...supervisors, { role: 'ROLE_AGENT', when: 'agentReassignmentEnabled' }],
    body: reassignAppointmentRequestSchema,
    bodyRequired: true,
    ownCode: { pointer: '/userId', code: 'invalid_agent', detail: 'The agent id is not valid.' },
    bodyLimit: bodyLimits.fields,
    // 409: slot_conflict (D26), idempotency_in_progress.
    also: [409],
  },
  rescheduleAppointment: {
    ...changing,
    useCase: 'reschedule',
    method: 'PUT',
    path: '/api/v2/appointments/reschedule/',
    summary: 'Reschedule an appointment',
    description:
      'Changes start, duration, time zone and locale. Access details of an activated appointment follow; its access ' +
      'address stays the same. Customers need manage-ticket proof for this appointment.',
    roles: [...staff, { role: 'ROLE_CUSTOMER', when: 'manageProof' }],
    body: rescheduleAppointmentRequestSchema,
    bodyRequired: true,
    bodyLimit: bodyLimits.fields,
    // 409: slot_conflict (D26), idempotency_in_progress.
    also: [409],
  },
  deleteAppointment: {
    ...ending,
    useCase: 'softDelete',
    method: 'DELETE',
    path: '/api/v2/appointments/{id}',
    summary: 'Cancel an appointment by DELETE',
    description:
      'A soft cancel: the record is kept, APDeletedEvent is the only event, and a repeated call changes nothing. ' +
      'Use cancel instead.',
    deprecated: true,
    roles: staff,
  },
  getAppointment: {
    useCase: 'get',
    method: 'GET',
    path: '/api/v2/appointments/{id}',
    summary: 'Get an appointment',
    description:
      'One appointment, cancelled and aborted ones included. Access details only when it is activated. Customers ' +
      'need join claims with `conferenceId`, or manage-link claims, for this appointment.',
    roles: [...staff, { role: 'ROLE_CUSTOMER', when: 'joinOrManageProof' }],
    pathParameters: [appointmentId],
    success: { status: 200, schema: appointmentResponseSchema },
    statuses: [200, 400, 401, 403, 404, 500],
    acceptsIfNoneMatch: true,
    answersETag: true,
  },
  cancelAppointment: {
    ...ending,
    useCase: 'cancel',
    method: 'PUT',
    path: '/api/v2/appointments/{id}/cancel',
    summary: 'Cancel an appointment',
    description:
      'Cancels the appointment and keeps the record; APCancelledEvent is the only event, and a repeated call ' +
      'changes nothing. A customer’s manage claims, where the token carries them, must hold for this appointment.',
    roles: [...staff, { role: 'ROLE_CUSTOMER', when: 'manageProofWhenClaimed' }],
    body: cancelAppointmentBodySchema,
    bodyLimit: bodyLimits.fields,
  },
  countAppointments: {
    ...counting,
    useCase: 'count',
    path: '/api/v2/appointments/count',
    summary: 'Count appointments in windows',
    description:
      'For each `start` the number of appointments that start in the window from it on, as long as `timeFrame`; ' +
      'cancelled and aborted ones do not count. Answers 0 where there is none.',
  },
  listEligibleAppointments: {
    useCase: 'listEligible',
    method: 'GET',
    path: '/api/v2/appointments/eligible',
    summary: 'List appointments eligible for activation',
    description:
      'All scheduled appointments that are not yet activated, by id, without access details. An empty array when there is ' +
      'none. The answer is written while it is read: what changes meanwhile may be in it or not, never twice, and when it ' +
      'cannot be finished the connection ends without the end of the array.',
    deprecated: true,
    roles: clientServices,
    query: listEligibleAppointmentsQuerySchema,
    success: { status: 200, schema: z.array(appointmentResponseSchema) },
    statuses: [200, 400, 401, 403, 500],
  },
  countOverlappingAppointments: {
    ...counting,
    useCase: 'countOverlapping',
    path: '/api/v2/appointments/count/overlapping',
    summary: 'Count appointments that overlap windows',
    description:
      'Like count, for appointments that intersect the window instead of starting in it. Additive: mounted only ' +
      'when the host turns it on.',
    optional: 'countOverlapping',
  },
});
