import { interactionStates, limits, personTypes } from '@calends/model';
import type { InteractionMove } from '../../domain/appointments/interaction.js';
import {
  abort,
  activate,
  cancel,
  interact,
  reassign,
  requireLive,
  reschedule,
  revise,
} from '../../domain/appointments/lifecycle.js';
import { requireAcceptable, readSchedule, sameSchedule, sameTime } from '../../domain/appointments/schedule.js';
import { type Actor, actorOf, type Caller, widestRole } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { type InputIssues, readInput } from '../../domain/calls/input.js';
import type { CallOptions } from '../call-options.js';
import { changeAppointment, changing, type Decide, type Situation } from '../change-appointment.js';
import type { UseCaseContext } from '../context.js';
import { once } from '../once.js';
import { withActors } from '../availability/booking.js';
import { readServiceFields, requireNoOverrides } from '../availability/service-request.js';
import { Tries } from '../availability/tries.js';
import { assignedAgents } from '../../domain/appointments/participants.js';
import { overlapGuard } from '../overlap.js';
import { isActivationDue } from '../../domain/appointments/due-steps.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { activated, openRoom } from '../room.js';
import type { Decision } from '../unit-of-work.js';
import { invalidAgent, isAgentId, requireAgent } from '../../ports/agent-directory.js';
import type {
  AbortCommand,
  CancelCommand,
  MoveInteractionCommand,
  ReassignCommand,
  RescheduleCommand,
} from './commands.js';
import { boundMove, givenBack, withPreviousAgents } from './service-move.js';
import { readLocale } from './schedule-command.js';

/** Cancels (spec: Endpoints, rule 10; D16). */
export function cancelling(command: CancelCommand, caller: Caller): Decide {
  const given = readInput((issues) => issues.text('/cancelReason', command.cancelReason, limits.cancelReason));
  const reason = given || undefined;
  return ({ appointment, now }) =>
    cancel(appointment, { at: now, actor: actorOf(caller), event: 'APCancelledEvent', reason });
}

/** The deprecated v2 DELETE: cancels without a reason and tells of it by another event (spec: Endpoints, rule 8). */
export function softDeleting(_id: string, caller: Caller): Decide {
  return ({ appointment, now }) => cancel(appointment, { at: now, actor: actorOf(caller), event: 'APDeletedEvent' });
}

/** Removes an appointment for good, from any state: the v1 DELETE (spec: States; D25, D46). */
export function removeAppointment(context: UseCaseContext) {
  return async (caller: Caller, id: string, options?: CallOptions): Promise<void> => {
    const { organizationId } = caller;
    const call = { organizationId, id, caller, operation: 'remove', options, decide: removal } as const;
    // The answer that is kept holds nothing of the record.
    await once<null>(context, { caller, command: { id }, options }, async (complete) => {
      await changeAppointment(context, { ...call, complete: () => complete(null) });
      return null;
    });
  };
}

function removal({ appointment, now }: Situation): Decision {
  return {
    next: revise(appointment, {}, now),
    event: { type: 'APDeletedEvent', data: { removed: true } },
    remove: true,
  };
}

/** Moves an appointment to another time (spec: Endpoints, rule 7; D20). */
export function rescheduling(command: RescheduleCommand, caller: Caller, context: UseCaseContext): Decide {
  const byCustomer = widestRole(caller) === 'ROLE_CUSTOMER';
  if (byCustomer) requireNoOverrides(command);
  const { schedule, locale, request } = readInput((issues) => ({
    schedule: readSchedule(command, issues),
    locale: readLocale(command.locale, issues),
    request: readServiceFields(command, context, issues),
  }));
  const tries = new Tries();
  return async (situation) => {
    const { appointment, settings, now } = situation;
    const serviceId = byCustomer ? undefined : request?.serviceId;
    const moved = reschedule(appointment, { schedule, locale, at: now, byCustomer, serviceId });
    if (moved !== undefined) situation.requireMayChange();
    const bound = await boundMove(context, { situation, schedule, request, caller, byCustomer });
    const holds = bound === undefined ? givenBack(context, request) : bound.holds;
    if (moved === undefined) return holds && { holds };
    const withActivation = (next: Appointment): Promise<Appointment> | Appointment =>
      isActivationDue(next, settings, now) ? activated(context, next, settings, now) : next;
    if (bound === undefined && !sameSchedule(schedule, appointment.schedule)) {
      requireAcceptable(schedule, settings, now);
    }
    if (bound === undefined) {
      const next = await withActivation(moved.next);
      // Time that it has already is asked of nobody: language and zone take none.
      const guard = sameTime(schedule, appointment.schedule) ? undefined : overlapGuard(context, next, settings);
      return { ...moved, next, guard, holds };
    }
    tries.begin(bound);
    const next = await withActivation({ ...moved.next, ...withActors(moved.next, bound) });
    return {
      ...moved,
      next,
      event: withPreviousAgents(moved.event, appointment, next),
      guard: overlapGuard(context, next, settings),
      limits: bound.limits,
      holds,
      auditedAs: (request?.overrides.length ?? 0) > 0 ? 'rescheduleByOverride' : undefined,
      triesAgain: (error) => tries.again(error),
    };
  };
}

/** Gives an appointment to another agent (spec: Endpoints, rule 6; D22). */
export function reassigning(command: ReassignCommand, { organizationId }: Caller, context: UseCaseContext): Decide {
  const { userId } = command as { readonly userId?: unknown };
  // A malformed id has a code of its own (D22); one that is not there is a missing field.
  if (typeof userId === 'string' && !isAgentId(userId)) throw invalidAgent('/userId');
  const agentId = readInput((issues) => issues.requiredText('/userId', userId, limits.agentId));
  return async ({ appointment, settings, now }) => {
    const { applicationId } = appointment;
    await requireAgent(context.agentDirectory, { organizationId, applicationId, agentId }, '/userId', 'not_found');
    if (appointment.service !== undefined && assignedAgents(appointment).length > 1) {
      throw new CalendsError('invalid_agent', 'The service needs several agents.', {
        issues: [{ pointer: '/userId', code: 'invalid_value', detail: 'Must not be one agent in place of several.' }],
      });
    }
    const reassigned = reassign(appointment, { agentId, at: now });
    return reassigned && { ...reassigned, guard: overlapGuard(context, reassigned.next, settings) };
  };
}

/** Opens an appointment for joining on demand (spec: Endpoints, rule 4; D18). */
export function activateAppointment(context: UseCaseContext) {
  const change = changing<string>(context, 'activate', () => (situation) => activation(context, situation, true));
  return async (caller: Caller, id: string, options?: CallOptions) => {
    const appointment = await change(caller, id, options);
    if (appointment.state !== 'ABORTED') return appointment;
    throw new CalendsError('invalid_state', 'The room was refused; the appointment is aborted.');
  };
}

/** Activates with a room, or aborts when the access provider refuses one for good (D15). */
export async function activation(
  context: UseCaseContext,
  { appointment, settings, now }: Situation,
  explicit: boolean,
): Promise<Decision | undefined> {
  if (requireLive(appointment).state === 'ACTIVATED') return undefined;
  const opening = await openRoom(context, appointment, settings);
  return opening.status === 'opened'
    ? activate(appointment, { grant: opening.grant, at: now, explicit })
    : abort(appointment, { at: now, reason: opening.reason });
}

/** Ends an appointment as failed, at the host's wish (D15). */
export function aborting(command: AbortCommand): Decide {
  const reason = readInput((issues) => issues.requiredText('/reason', command.reason, limits.cancelReason));
  return ({ appointment, now }) => abort(appointment, { at: now, reason });
}

/** Moves the interaction, as the host's routing provider reports it (D14). */
export function movingInteraction(command: MoveInteractionCommand, caller: Caller): Decide {
  const actor = actorOf(caller);
  const move = readInput((issues) => readMove(command, actor, issues));
  if (widestRole(caller) === 'ROLE_CUSTOMER' && move.to !== 'INITIATED') {
    throw new CalendsError('forbidden', 'Customers open the channel, and nothing else.');
  }
  return ({ appointment, now }) => {
    const corrects = move.to === 'COMPLETED' && appointment.interaction.state === 'NO_SHOW';
    if (corrects && !['ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE'].includes(actor.role)) {
      throw new CalendsError('forbidden', 'A no-show is corrected by supervisors.');
    }
    return interact(appointment, { ...move, at: now });
  };
}

/** Cancelling comes with the appointment only (D14). */
const targets = interactionStates.filter((state) => state !== 'CANCELLED');

/** Reads a move; what only another move sets is left out. */
function readMove(
  { to, actor, errorData, properties }: MoveInteractionCommand,
  caller: Actor,
  issues: InputIssues,
): Omit<InteractionMove, 'at'> {
  issues.word('/to', to, targets);
  if (actor !== undefined && issues.isObject('/actor', actor)) {
    issues.requiredText('/actor/id', actor.id, limits.agentId);
    issues.word('/actor/type', actor.type, personTypes);
  }
  return {
    to,
    actor: actor ?? caller,
    errorData: to === 'FAILED' ? readErrorData(errorData, issues) : undefined,
    properties: properties && issues.textMap('/properties', properties),
  };
}

function readErrorData(given: MoveInteractionCommand['errorData'], issues: InputIssues): InteractionMove['errorData'] {
  return {
    systemMessage: issues.requiredText('/errorData/systemMessage', given?.systemMessage, limits.notes),
    userMessage: issues.requiredText('/errorData/userMessage', given?.userMessage, limits.notes),
  };
}
