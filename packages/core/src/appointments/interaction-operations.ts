import { actorOf } from '../caller.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { abort, interact } from './lifecycle.js';

/** Moves the interaction, as the host's routing provider reports it (D14). */
export function moveAppointmentInteraction(context: UseCaseContext): AppointmentOperations['moveInteraction'] {
  return async (caller, command, options) => {
    const issues = new InputIssues();
    const { to, errorData } = command;
    if (to === 'FAILED') {
      issues.requiredText('/errorData/systemMessage', errorData?.systemMessage, limits.notes);
      issues.requiredText('/errorData/userMessage', errorData?.userMessage, limits.notes);
    }
    const properties = command.properties && issues.textMap('/properties', command.properties);
    issues.throwIfAny();
    return changeAppointment(context, {
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      policy: 'interact',
      options,
      decide: ({ appointment, now }) => {
        const actor = command.actor ?? actorOf(caller);
        const corrects = to === 'COMPLETED' && appointment.interaction.state === 'NO_SHOW';
        if (corrects && !['ROLE_SUPERVISOR', 'ROLE_CLIENT_SERVICE'].includes(actorOf(caller).role)) {
          throw new CalendsError('forbidden', 'A no-show is corrected by supervisors.');
        }
        return interact(appointment, { to, at: now, actor, errorData, properties });
      },
    });
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
      policy: 'abort',
      options,
      decide: ({ appointment, now }) => abort(appointment, { at: now, reason }),
    });
  };
}
