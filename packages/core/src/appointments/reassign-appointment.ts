import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeOnce } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { overlapGuard } from '../use-case/overlap.js';
import { requireAgent } from './agent-check.js';
import { reassign } from './lifecycle.js';

/** Gives an appointment to another agent (spec: Endpoints, rule 6; D22). */
export function reassignAppointment(context: UseCaseContext): AppointmentOperations['reassign'] {
  return async (caller, command, options) => {
    const issues = new InputIssues();
    const agentId = issues.requiredText('/userId', command.userId, limits.agentId);
    issues.throwIfAny();
    const { organizationId } = caller;
    return changeOnce(context, {
      command,
      organizationId,
      id: command.id,
      caller,
      operation: 'reassign',
      options,
      decide: async ({ appointment, settings, now }) => {
        const { applicationId } = appointment;
        const query = { organizationId, applicationId, agentId };
        await requireAgent(context, query, '/userId', 'not_found');
        const reassigned = reassign(appointment, { agentId, at: now });
        return reassigned && { ...reassigned, guard: overlapGuard(reassigned.next, settings) };
      },
    });
  };
}
