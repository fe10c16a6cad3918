import { type Actor, actorOf } from '../caller.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { MoveInteractionCommand } from './commands.js';
import { interactionStates } from './interaction.js';
import type { InteractionMove } from './interaction-moves.js';
import { abort, interact } from './lifecycle.js';

/** Moves the interaction, as the host's routing provider reports it (D14). */
export function moveAppointmentInteraction(context: UseCaseContext): AppointmentOperations['moveInteraction'] {
  return async (caller, command, options) => {
    const move = readMove(command, actorOf(caller));
    return changeAppointment(context, {
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'moveInteraction',
      options,
      decide: ({ appointment, now }) => {
        const corrects = move.to === 'COMPLETED' && appointment.interaction.state === 'NO_SHOW';
        if (corrects && !['ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE'].includes(actorOf(caller).role)) {
          throw new CalendsError('forbidden', 'A no-show is corrected by supervisors.');
        }
        return interact(appointment, { ...move, at: now });
      },
    });
  };
}

/** Cancelling comes with the appointment alone (D14). */
const targets = interactionStates.filter((state) => state !== 'CANCELLED');

/** Reads a move; what only another move sets is left out. */
function readMove(command: MoveInteractionCommand, caller: Actor): Omit<InteractionMove, 'at'> {
  const issues = new InputIssues();
  const { to, actor, errorData, properties } = command;
  if (!targets.includes(to)) {
    issues.add('/to', 'invalid_value', `Must be one of: ${targets.join(', ')}.`);
  }
  if (actor !== undefined) {
    issues.requiredText('/actor/id', actor.id, limits.agentId);
    if (!['AGENT', 'CUSTOMER'].includes(actor.type)) {
      issues.add('/actor/type', 'invalid_value', 'Must be AGENT or CUSTOMER.');
    }
  }
  const move = {
    to,
    actor: actor ?? caller,
    errorData: to === 'FAILED' ? readErrorData(errorData, issues) : undefined,
    properties: properties && issues.textMap('/properties', properties),
  };
  issues.throwIfAny();
  return move;
}

function readErrorData(given: MoveInteractionCommand['errorData'], issues: InputIssues): InteractionMove['errorData'] {
  return {
    systemMessage: issues.requiredText('/errorData/systemMessage', given?.systemMessage, limits.notes),
    userMessage: issues.requiredText('/errorData/userMessage', given?.userMessage, limits.notes),
  };
}

/** Ends an appointment as failed, at the host's wish (D15). */
export function abortAppointment(context: UseCaseContext): AppointmentOperations['abort'] {
  return async (caller, command, options) => {
    const issues = new InputIssues();
    const reason = issues.requiredText('/reason', command.reason, limits.cancelReason);
    issues.throwIfAny();
    return changeAppointment(context, {
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'abort',
      options,
      decide: ({ appointment, now }) => abort(appointment, { at: now, reason }),
    });
  };
}
