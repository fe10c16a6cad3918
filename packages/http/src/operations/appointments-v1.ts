import type { Appointment, AppointmentState, Caller, Scheduling } from '@calends/core';
import type { AppointmentOperationId } from '@calends/http-contract';
import { accessOf, presentActivation, presentAppointmentV1 } from '../presenters/appointment.js';
import { mapped } from '../response/encode.js';
import { presentPage } from '../presenters/page.js';
import { notFound } from '../refusal.js';
import { appointmentV2Handlers } from './appointments-v2.js';
import { listQuery, liveOnly, scheduleCommandV1, updateCommandV1 } from './commands.js';
import type { Answer, Handlers } from './handler.js';

/** chatMode of v1 where the request names none (spec: Interaction). */
const chatModes = { PROVIDERA_CLOUD_FLOW: 'providerA-cloud' };

/** Cancelled and aborted appointments are left out of v1 lists (D25). */
const states: readonly AppointmentState[] = ['SCHEDULED', 'ACTIVATED'];

/** The operations under `/api/appointments` (spec: v1 operations). */
export const appointmentV1Handlers: Handlers<`${AppointmentOperationId}V1`> = {
  async listAppointmentsV1({ appointments }, { identity, query }) {
    const page = await appointments.list(identity, { ...listQuery(query), states, durationForms: 'iso8601' });
    if (page.total === 0) throw notFound();
    return { content: presentPage(page, presentListed) };
  },
  async createAppointmentV1(scheduling, { identity, body, call }) {
    const command = scheduleCommandV1(body);
    return shown(scheduling, await scheduling.appointments.schedule(identity, command, { ...call, chatModes }));
  },
  async updateAppointmentV1(scheduling, { identity, body, call }) {
    const command = updateCommandV1(body);
    return shown(scheduling, await scheduling.appointments.update(identity, command, liveOnly(call)));
  },
  async activateAppointmentV1(scheduling, { identity, id, call }) {
    const appointment = await scheduling.appointments.activate(identity, id, liveOnly(call));
    const access = await accessOf(scheduling, appointment);
    if (access === undefined) throw new Error('An activated appointment has no access details.');
    return { content: presentActivation(access) };
  },
  async createAppointmentAsCustomerV1(scheduling, { identity, body, call }) {
    const command = scheduleCommandV1(body);
    return shown(
      scheduling,
      await scheduling.appointments.scheduleAsCustomer(identity, command, { ...call, chatModes }),
    );
  },
  async reassignAppointmentV1(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.reassign(identity, body, liveOnly(call)));
  },
  async rescheduleAppointmentV1(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.reschedule(identity, body, liveOnly(call)));
  },
  async deleteAppointmentV1({ appointments }, { identity, id, call }) {
    await appointments.remove(identity, id, call);
    return {};
  },
  async getAppointmentV1(scheduling, { identity, id, call }) {
    return shown(scheduling, await scheduling.appointments.get(withoutManageClaims(identity), id, liveOnly(call)));
  },
  countAppointmentsV1: (scheduling, request) => appointmentV2Handlers.countAppointments(scheduling, request),
  listEligibleAppointmentsV1({ appointments }, { identity, query }) {
    return Promise.resolve({ items: mapped(appointments.listEligible(identity, query), presentListed) });
  },
};

/** In v1 customers show the `conferenceId` claim; manage links are of v2 (spec: v1 operations). */
function withoutManageClaims(caller: Caller): Caller {
  return caller.manage === undefined ? caller : { ...caller, manage: undefined };
}

function presentListed(appointment: Appointment) {
  return presentAppointmentV1(appointment);
}

async function shown(scheduling: Scheduling, appointment: Appointment): Promise<Answer> {
  const access = await accessOf(scheduling, appointment);
  return { content: presentAppointmentV1(appointment, access), version: appointment.version };
}
