import {
  CalendsError,
  type Caller,
  type CallOptions,
  type CustomerInput,
  type ScheduleCommand,
  type UpdateCommand,
} from '@calends/core';
import type { ScheduleAppointmentRequestV1, UpdateAppointmentRequestV1 } from '@calends/http-contract';
import { liveAppointmentStates } from '@calends/model';
import { accessOf, presentActivation, presentAppointmentV1 } from '../presenters/appointment.js';
import { mapped } from '../response/encode.js';
import { presentPage } from '../presenters/page.js';
import { notFound } from '../refusal.js';
import { appointmentV2Handlers, listQuery, scheduleCommand } from './appointments-v2.js';
import { type Handlers, showing } from './handler.js';

/** chatMode of v1 where the request names none (spec: Interaction). */
const chatModes = { PROVIDERA_CLOUD_FLOW: 'providerA-cloud' };

const shown = showing(presentAppointmentV1);

/** The operations under `/api/appointments` (spec: v1 operations). */
export const appointmentV1Handlers = {
  async listAppointmentsV1({ appointments }, { identity, query }) {
    // Cancelled and aborted appointments are left out of v1 lists (D25).
    const asked = { ...listQuery(query), states: liveAppointmentStates, durationForms: 'iso8601' } as const;
    const page = await appointments.list(identity, asked);
    if (page.total === 0) throw notFound();
    return { content: presentPage(page, presentAppointmentV1) };
  },
  createAppointmentV1: shown((appointments, { identity, body, call }) =>
    appointments.schedule(identity, scheduleCommandV1(body), { ...call, chatModes }),
  ),
  updateAppointmentV1: shown((appointments, { identity, body, call }) =>
    appointments.update(identity, updateCommandV1(body), liveOnly(call)),
  ),
  async activateAppointmentV1(scheduling, { identity, id, call }) {
    const appointment = await scheduling.appointments.activate(identity, id, liveOnly(call));
    const access = await accessOf(scheduling, appointment);
    // The answer is nothing but the details, and asking again does no harm.
    if (access === undefined) throw new CalendsError('unavailable', 'The access details cannot be had; try again.');
    return { content: presentActivation(access) };
  },
  createAppointmentAsCustomerV1: shown((appointments, { identity, body, call }) =>
    appointments.scheduleAsCustomer(identity, scheduleCommandV1(body), { ...call, chatModes }),
  ),
  reassignAppointmentV1: shown((appointments, { identity, body, call }) =>
    appointments.reassign(identity, body, liveOnly(call)),
  ),
  rescheduleAppointmentV1: shown((appointments, { identity, body, call }) =>
    appointments.reschedule(identity, body, liveOnly(call)),
  ),
  async deleteAppointmentV1({ appointments }, { identity, id, call }) {
    await appointments.remove(identity, id, call);
    return {};
  },
  getAppointmentV1: shown((appointments, { identity, id, call }) =>
    appointments.get(withoutManageClaims(identity), id, liveOnly(call)),
  ),
  countAppointmentsV1: (scheduling, request) => appointmentV2Handlers.countAppointments(scheduling, request),
  listEligibleAppointmentsV1({ appointments }, { identity, query }) {
    return Promise.resolve({ items: mapped(appointments.listEligible(identity, query), presentAppointmentV1) });
  },
} satisfies Partial<Handlers>;

/** In v1 customers show the `conferenceId` claim; manage links are of v2 (spec: v1 operations). */
function withoutManageClaims(caller: Caller): Caller {
  return caller.manage === undefined ? caller : { ...caller, manage: undefined };
}

/** A v1 create request as a command: its one customer is the first of a list. */
function scheduleCommandV1({ customer, ...request }: ScheduleAppointmentRequestV1): ScheduleCommand {
  return scheduleCommand({ ...request, customers: [customer] });
}

/** A v1 update request as a command: `participantId` is the customer's `id`. */
function updateCommandV1({ customer, ...request }: UpdateAppointmentRequestV1): UpdateCommand {
  if (customer === undefined || customer === null) return { ...request, customer };
  const { participantId, ...profile }: { readonly participantId: string } & CustomerInput = customer;
  return { ...request, customer: { ...profile, id: participantId } };
}

/** In v1, what is cancelled or aborted is unknown (D25). */
function liveOnly(call: CallOptions): CallOptions {
  return { ...call, liveOnly: true };
}
