import { parseDuration } from '@calends/model';
import { limitGuards } from '../../availability/choose-actors.js';
import { buffersOf } from '../../availability/service-rules.js';
import type { Appointment, BookedService, Schedule } from '../../domain/appointments/appointment.js';
import type { Caller } from '../../domain/calls/caller.js';
import type { KnownService } from '../../ports/availability-source.js';
import type { HoldChanges, LimitGuard } from '../../ports/store/commit.js';
import { type ApplicationSettings, maxDuration } from '../../settings/application-settings.js';
import type { UseCaseContext } from '../context.js';
import { holdLost } from '../overlap.js';
import { requireCandidates, requireDuration } from './asker.js';
import { factsOf } from './facts.js';
import { chooseKnown } from './known-agents.js';
import { refusal } from './reasons.js';
import type { AvailabilityRoom } from './room.js';
import type { ServiceRequest } from './service-request.js';
import { noService } from './services.js';

/** A booking with a service, before anybody is chosen. */
export interface ServiceBooking {
  readonly room: AvailabilityRoom;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly settings: ApplicationSettings;
  readonly service: KnownService;
  readonly schedule: Schedule;
  readonly request: Partial<ServiceRequest>;
  /** Only this agent. */
  readonly agentId?: string | undefined;
  /** What is moved: its agents are kept where they are free. */
  readonly appointment?: Appointment | undefined;
  /** Absent for customers, who are told less. */
  readonly staff: Caller | undefined;
}

/** Who comes, and what the commit must find. */
export interface ChosenBooking {
  readonly agentIds: readonly string[];
  readonly service: BookedService;
  readonly limits?: readonly LimitGuard[] | undefined;
  readonly holds?: HoldChanges | undefined;
}

/**
 * The service of an application, which must not be archived but for what was booked with it.
 *
 * @throws CalendsError `not_found`
 */
export async function serviceOf(
  { source }: AvailabilityRoom,
  query: { readonly organizationId: string; readonly applicationId: string; readonly serviceId: string },
  booked?: BookedService,
): Promise<KnownService> {
  const service = await source.serviceOf(query);
  if (service === undefined || (service.archived === true && booked?.id !== service.id)) throw noService();
  return service;
}

/**
 * Chooses who comes: whom the hold names, else by the decision that find asks as well.
 *
 * @throws CalendsError `invalid_schedule` for another duration than the service's, `not_found` for an agent that it does not
 * name, `hold_lost`, `slot_conflict` and `limit_reached` with reasons
 */
export async function chooseBooking(context: UseCaseContext, booking: ServiceBooking): Promise<ChosenBooking> {
  const { service, schedule, agentId, request, appointment, staff } = booking;
  const durations = service.durations.map((text) => parseDuration(text) ?? 0);
  // A customer is offered the duration of the appointment, which the service may not have any more.
  if (appointment !== undefined && staff === undefined) {
    durations.push(appointment.schedule.end - appointment.schedule.start);
  }
  requireDuration({ durations }, schedule.end - schedule.start);
  requireCandidates(service, agentId === undefined ? [] : [agentId]);
  return request.holdToken === undefined ? byDecision(context, booking) : byHold(context, booking, request.holdToken);
}

async function byHold(context: UseCaseContext, booking: ServiceBooking, token: string): Promise<ChosenBooking> {
  const { room, organizationId, applicationId, service, schedule, agentId, appointment, settings } = booking;
  const held = context.holdTokens.read(token);
  const hold = held && (await room.store.findHold(organizationId, held.holdId));
  const isForThis =
    hold?.applicationId === applicationId &&
    hold.serviceId === service.id &&
    hold.start === schedule.start &&
    hold.end === schedule.end &&
    (agentId === undefined || hold.agentIds.includes(agentId)) &&
    // One for a move was allowed because of what the move gives back.
    (held?.appointmentId === undefined || held.appointmentId === appointment?.id);
  if (hold === undefined || !isForThis) throw holdLost();
  const { agentIds, resourceIds } = hold;
  // What the hold was allowed stays so: it counted for the limits all the while.
  return {
    agentIds,
    service: { id: service.id, resources: resourceIds, buffers: buffersOf(service, settings.overlap.buffer) },
    holds: { consume: hold.id },
  };
}

async function byDecision(context: UseCaseContext, booking: ServiceBooking): Promise<ChosenBooking> {
  const { service, schedule, agentId, appointment, request, settings, staff } = booking;
  const slot = { start: schedule.start, end: schedule.end };
  const question = await factsOf(context, {
    ...booking,
    window: { from: slot.start, to: slot.end },
    agentIds: agentId === undefined ? undefined : [agentId],
    isChoosing: true,
    exceptAppointmentId: appointment?.id,
    overrides: request.overrides,
  });
  const choice = await chooseKnown(context.agentDirectory, booking, { question, slot });
  if (!choice.free) throw await refusal(context, choice, staff);
  const { chosen } = choice;
  return {
    agentIds: chosen.agentIds,
    service: { id: service.id, resources: chosen.resourceIds, buffers: buffersOf(service, settings.overlap.buffer) },
    limits: limitGuards(question, slot, chosen),
  };
}

/** The durations of a service are its own, in whatever bounds the application has for others. */
export function withoutDurationBounds(settings: ApplicationSettings): ApplicationSettings {
  return { ...settings, duration: { min: 0, max: maxDuration } };
}

/** The agents as participants, and what follows from them. */
export function withActors(
  appointment: Pick<Appointment, 'organizer' | 'participants' | 'targetAssignment'>,
  { agentIds, service }: ChosenBooking,
): Pick<Appointment, 'organizer' | 'participants' | 'targetAssignment' | 'service'> {
  const { organizer, participants, targetAssignment } = appointment;
  const agents = agentIds.map((id) => ({ id, type: 'AGENT' }) as const);
  const [first] = agents;
  const isKept = targetAssignment?.type !== 'AGENT' || agentIds.includes(targetAssignment.id);
  return {
    service,
    organizer: first ?? organizer,
    participants: [...agents, ...participants.filter(({ type }) => type !== 'AGENT')],
    targetAssignment: isKept ? targetAssignment : first,
  };
}
