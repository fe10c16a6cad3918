import * as z from 'zod';
import type { OperationOf } from '../operation.js';
import { listAppointmentsQueryV1Schema } from '../schemas/appointment-queries.js';
import {
  rescheduleAppointmentRequestV1Schema,
  scheduleAppointmentRequestV1Schema,
  updateAppointmentRequestV1Schema,
} from '../schemas/appointment-requests.js';
import {
  appointmentActivationResponseSchema,
  appointmentResponseV1Schema,
  findAppointmentsResponsePagedV1Schema,
} from '../schemas/appointment-responses-v1.js';
import { appointmentV2Operations as v2 } from './appointments-v2.js';
import { staff, supervisors } from '../roles.js';

/*
 * The v1 family: the operations of v2 without cancel, with the v1 shapes (spec: v1 operations).
 */

/** An operation of v1: what v2 has, but for what is said here. */
function v1Of<
  const O extends OperationOf<string, string>,
  const Differing extends Partial<OperationOf<string, string>>,
>(
  operation: O,
  differing: Differing,
): Omit<O, keyof Differing | 'id' | 'family' | 'tag' | 'path'> &
  Differing & { id: `${O['id']}V1`; family: 'v1'; tag: 'Appointments v1'; path: string } {
  return {
    ...operation,
    id: `${operation.id}V1`,
    family: 'v1',
    tag: 'Appointments v1',
    path: operation.path.replace('/api/v2/', '/api/'),
    ...differing,
  };
}

/** Without the 404 of services, which v1 does not know. */
const booked = {
  additiveStatuses: v2.createAppointment.additiveStatuses.filter((status) => status !== 404),
} as const;

const appointment = { success: { status: 200, schema: appointmentResponseV1Schema } } as const;

/** The operations under `/api/appointments`, by id. */
export const appointmentV1Operations = {
  listAppointmentsV1: v1Of(v2.listAppointments, {
    description:
      'A page of appointments, filtered and sorted. Where agents see only their own appointments (the default), ' +
      'callers who are not supervisors get those that they organize or are assigned to, whatever they filter by. ' +
      '404 when no appointment matches. Cancelled and aborted appointments are left out.',
    query: listAppointmentsQueryV1Schema,
    success: { status: 200, schema: findAppointmentsResponsePagedV1Schema },
  }),
  createAppointmentV1: v1Of(v2.createAppointment, {
    body: scheduleAppointmentRequestV1Schema,
    ...booked,
    ...appointment,
  }),
  updateAppointmentV1: v1Of(v2.updateAppointment, { body: updateAppointmentRequestV1Schema, ...appointment }),
  activateAppointmentV1: v1Of(v2.activateAppointment, {
    success: { status: 200, schema: appointmentActivationResponseSchema },
    answersETag: false,
  }),
  createAppointmentAsCustomerV1: v1Of(v2.createAppointmentAsCustomer, {
    description:
      'The same as create, for a customer who proves to be its customer: `Authorization: Basic` with user name and ' +
      'one-time password, no bearer token. Until staff confirms the customer, messages go only to the address that the ' +
      'password was sent to, and only that recognises the customer.',
    body: scheduleAppointmentRequestV1Schema,
    ...booked,
    ...appointment,
  }),
  reassignAppointmentV1: v1Of(v2.reassignAppointment, { roles: supervisors, ...appointment }),
  rescheduleAppointmentV1: v1Of(v2.rescheduleAppointment, {
    description:
      'Changes start, duration, time zone and locale. Access details of an activated appointment follow; its access ' +
      'address stays the same.',
    roles: staff,
    body: rescheduleAppointmentRequestV1Schema,
    ...appointment,
  }),
  deleteAppointmentV1: v1Of(v2.deleteAppointment, {
    useCase: 'remove',
    summary: 'Remove an appointment',
    description:
      'Removes the appointment for good, with participants and schedule, from any state. Notifications may be sent ' +
      'where configured.',
    deprecated: false,
  }),
  getAppointmentV1: v1Of(v2.getAppointment, {
    description:
      'One appointment; a cancelled or aborted one is not found. Access details only when it is activated. The ' +
      '`conferenceId` claim of a customer must match.',
    roles: [...staff, { role: 'ROLE_CUSTOMER', when: 'joinProof' }],
    ...appointment,
  }),
  countAppointmentsV1: v1Of(v2.countAppointments, {}),
  listEligibleAppointmentsV1: v1Of(v2.listEligibleAppointments, {
    success: { status: 200, schema: z.array(appointmentResponseV1Schema) },
  }),
} as const;
