import type { Appointment, Caller, Scheduling } from '@calends/core';
import type { AppointmentOperationId } from '@calends/http-contract';
import { accessOf, presentAppointment } from '../presenters/appointment.js';
import { presentCounts } from '../presenters/appointment.js';
import { presentPage } from '../presenters/page.js';
import { notFound } from '../refusal.js';
import { mapped } from '../response/encode.js';
import { listQuery, scheduleCommand } from './commands.js';
import type { Answer, Handlers } from './handler.js';

/** The operations under `/api/v2/appointments`. */
export const appointmentV2Handlers: Handlers<
  AppointmentOperationId | 'cancelAppointment' | 'countOverlappingAppointments'
> = {
  async listAppointments({ appointments }, { identity, query }) {
    const page = await appointments.list(identity, listQuery(query));
    if (page.total === 0) throw notFound();
    return { content: presentPage(page, presentListed) };
  },
  async createAppointment(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.schedule(identity, scheduleCommand(body), call));
  },
  async updateAppointment(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.update(identity, body, call));
  },
  async activateAppointment(scheduling, { identity, id, call }) {
    return shown(scheduling, await scheduling.appointments.activate(identity, id, call));
  },
  async createAppointmentAsCustomer(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.scheduleAsCustomer(identity, scheduleCommand(body), call));
  },
  async reassignAppointment(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.reassign(identity, body, call));
  },
  async rescheduleAppointment(scheduling, { identity, body, call }) {
    return shown(scheduling, await scheduling.appointments.reschedule(identity, body, call));
  },
  async deleteAppointment({ appointments }, { identity, id, call }) {
    await appointments.softDelete(identity, id, call);
    return {};
  },
  async getAppointment(scheduling, { identity, id, call }) {
    return shown(scheduling, await scheduling.appointments.get(identity, id, call));
  },
  async cancelAppointment({ appointments }, { identity, id, body, call }) {
    await appointments.cancel(identity, { id, cancelReason: body?.cancelReason }, call);
    return {};
  },
  async countAppointments({ appointments }, { identity, query: { start, ...query } }) {
    const counts = await appointments.count(callerOrPublic(identity, query), { ...query, starts: start });
    return { content: presentCounts(counts, query.timeFrame) };
  },
  listEligibleAppointments({ appointments }, { identity, query }) {
    return Promise.resolve({ items: mapped(appointments.listEligible(identity, query), presentListed) });
  },
  async countOverlappingAppointments({ appointments }, { identity, query: { start, ...query } }) {
    const counts = await appointments.countOverlapping(callerOrPublic(identity, query), { ...query, starts: start });
    return { content: presentCounts(counts, query.timeFrame) };
  },
};

/** Items of lists carry no access details (spec: Appointment, `secureToken`). */
function presentListed(appointment: Appointment) {
  return presentAppointment(appointment);
}

async function shown(scheduling: Scheduling, appointment: Appointment): Promise<Answer> {
  const access = await accessOf(scheduling, appointment);
  return { content: presentAppointment(appointment, access), version: appointment.version };
}

/**
 * Who counts: the caller, or where counting is public (D28) nobody in particular, in the organization of the query.
 */
function callerOrPublic(caller: Caller | undefined, query: { readonly organizationId: string }): Caller {
  return caller ?? { id: 'public', organizationId: query.organizationId, roles: [] };
}
