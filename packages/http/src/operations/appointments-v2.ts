import type { Caller, ListAppointmentsQuery, RoutingInput, ScheduleCommand } from '@calends/core';
import type { ListAppointmentsQuery as WireListQuery, ScheduleAppointmentRequest } from '@calends/http-contract';
import { presentAppointment, presentCounts } from '../presenters/appointment.js';
import { presentPage } from '../presenters/page.js';
import { notFound } from '../refusal.js';
import { mapped } from '../response/encode.js';
import { type Handlers, showing } from './handler.js';

const shown = showing(presentAppointment);

/** The operations under `/api/v2/appointments`; items of lists carry no access details (spec: Appointment, `secureToken`). */
export const appointmentV2Handlers = {
  async listAppointments({ appointments }, { identity, query }) {
    const page = await appointments.list(identity, listQuery(query));
    if (page.total === 0) throw notFound();
    return { content: presentPage(page, presentAppointment) };
  },
  createAppointment: shown((appointments, { identity, body, call }) =>
    appointments.schedule(identity, scheduleCommand(body), call),
  ),
  updateAppointment: shown((appointments, { identity, body, call }) => appointments.update(identity, body, call)),
  activateAppointment: shown((appointments, { identity, id, call }) => appointments.activate(identity, id, call)),
  createAppointmentAsCustomer: shown((appointments, { identity, body, call }) =>
    appointments.scheduleAsCustomer(identity, scheduleCommand(body), call),
  ),
  reassignAppointment: shown((appointments, { identity, body, call }) => appointments.reassign(identity, body, call)),
  rescheduleAppointment: shown((appointments, { identity, body, call }) =>
    appointments.reschedule(identity, body, call),
  ),
  async deleteAppointment({ appointments }, { identity, id, call }) {
    await appointments.softDelete(identity, id, call);
    return {};
  },
  getAppointment: shown((appointments, { identity, id, call }) => appointments.get(identity, id, call)),
  async cancelAppointment({ appointments }, { identity, id, body, call }) {
    await appointments.cancel(identity, { id, cancelReason: body?.cancelReason }, call);
    return {};
  },
  async countAppointments({ appointments }, { identity, query: { start, ...query } }) {
    const counts = await appointments.count(callerOrPublic(identity, query), { ...query, starts: start });
    return { content: presentCounts(counts, query.timeFrame) };
  },
  listEligibleAppointments({ appointments }, { identity, query }) {
    return Promise.resolve({ items: mapped(appointments.listEligible(identity, query), presentAppointment) });
  },
  async countOverlappingAppointments({ appointments }, { identity, query: { start, ...query } }) {
    const counts = await appointments.countOverlapping(callerOrPublic(identity, query), { ...query, starts: start });
    return { content: presentCounts(counts, query.timeFrame) };
  },
} satisfies Partial<Handlers>;

/**
 * Who counts: the caller, or where counting is public (D28) nobody in particular, in the organization of the query.
 */
function callerOrPublic(caller: Caller | undefined, query: { readonly organizationId: string }): Caller {
  return caller ?? { id: 'public', organizationId: query.organizationId, roles: [] };
}

type WireRouting = NonNullable<NonNullable<ScheduleAppointmentRequest['interaction']>['routing']>;

/** A v2 create request as a command. */
export function scheduleCommand(request: ScheduleAppointmentRequest): ScheduleCommand {
  const { interaction, ...rest } = request;
  if (interaction === undefined || interaction === null) return rest;
  const { routing, customFields } = interaction;
  return { ...rest, interaction: { customFields, routing: routing ? routingInput(routing) : undefined } };
}

function routingInput({ type, properties }: WireRouting): RoutingInput {
  const given = Object.entries(properties ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { type, properties: Object.fromEntries(given) };
}

/** The filters of a list (spec: Endpoints, rule 1); those of v1 are the same without `state`. */
export function listQuery({
  agentId,
  organizerId,
  duration,
  range,
  state,
  ...rest
}: WireListQuery): ListAppointmentsQuery {
  return { agentIds: agentId, organizerIds: organizerId, durations: duration, ranges: range, states: state, ...rest };
}
