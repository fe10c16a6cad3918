import type { EventDraft } from '../../domain/appointments/lifecycle.js';
import type { Appointment, Schedule } from '../../domain/appointments/appointment.js';
import { assignedAgents } from '../../domain/appointments/participants.js';
import { requireAcceptable, sameTime } from '../../domain/appointments/schedule.js';
import type { Caller } from '../../domain/calls/caller.js';
import { invalidField } from '../../domain/calls/errors.js';
import { requireRoom } from '../availability/access.js';
import { chooseBooking, type ChosenBooking, serviceOf, withoutDurationBounds } from '../availability/booking.js';
import { type ServiceRequest, serviceRequired } from '../availability/service-request.js';
import type { HoldChanges } from '../../ports/store/commit.js';
import type { Situation } from '../change-appointment.js';
import type { UseCaseContext } from '../context.js';

/** A move that a service may bind. */
interface Move {
  readonly situation: Situation;
  readonly schedule: Schedule;
  readonly request: ServiceRequest | undefined;
  readonly caller: Caller;
  readonly byCustomer: boolean;
}

/**
 * What a service says to a move: that of the appointment binds customers always, staff is bound by the one that they name.
 * `undefined` where none binds, and where time and service stay: that is asked of nobody, but what is named must be there.
 *
 * @throws CalendsError as `chooseBooking`; `validation_failed` for a hold without a service, and for a customer who names
 * another one
 */
export async function boundMove(
  context: UseCaseContext,
  { situation, schedule, request, caller, byCustomer }: Move,
): Promise<ChosenBooking | undefined> {
  const { appointment, settings, now } = situation;
  const { service: booked, organizationId, applicationId } = appointment;
  const named = request?.serviceId;
  if (byCustomer && named !== undefined && named !== booked?.id) {
    throw invalidField('/serviceId', 'Must be the service of the appointment, or absent.');
  }
  const serviceId = byCustomer && context.availability !== undefined ? booked?.id : named;
  if (serviceId === undefined) {
    if (request !== undefined) throw serviceRequired();
    return undefined;
  }
  const isRebooked = named !== undefined && named !== booked?.id;
  const isMoved = isRebooked || !sameTime(schedule, appointment.schedule);
  // What was booked keeps its time when its service is gone.
  if (!isMoved && named === undefined) return undefined;
  if (isMoved) requireAcceptable(schedule, withoutDurationBounds(settings), now);
  const room = requireRoom(context);
  const service = await serviceOf(room, { organizationId, applicationId, serviceId }, booked);
  if (!isMoved) return undefined;
  return chooseBooking(context, {
    room,
    organizationId,
    applicationId,
    settings,
    service,
    schedule,
    appointment,
    request: request ?? {},
    staff: byCustomer ? undefined : caller,
  });
}

/**
 * What becomes of the hold that a move names where the time stays: it has done its service. One that has gone already is no matter,
 * so that a move can be sent again.
 */
export function givenBack(
  { holdTokens }: Pick<UseCaseContext, 'holdTokens'>,
  request: ServiceRequest | undefined,
): HoldChanges | undefined {
  const held = request?.holdToken === undefined ? undefined : holdTokens.read(request.holdToken);
  return held && { release: [held.holdId] };
}

/** The event of a move tells of the agents before, where others come. */
export function withPreviousAgents(event: EventDraft, before: Appointment, next: Appointment): EventDraft {
  const previousAgentIds = assignedAgents(before);
  const present = assignedAgents(next);
  const isSame = present.length === previousAgentIds.length && present.every((id) => previousAgentIds.includes(id));
  return isSame ? event : { ...event, data: { ...event.data, previousAgentIds } };
}
