import { actorOf, type Caller } from '../caller.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeOnce } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { customerProof } from '../use-case/customer-proof.js';
import type { Appointment } from './appointment.js';
import type { CallOptions } from './commands.js';
import { cancel, type Cancelling } from './lifecycle.js';

/** Cancels (spec: Endpoints, rule 10; D16). */
export function cancelAppointment(context: UseCaseContext): AppointmentOperations['cancel'] {
  return async (caller, command, options) => {
    const proof = await customerProof(context, caller, command.id, 'cancel', options);
    const issues = new InputIssues();
    const reason = issues.text('/cancelReason', command.cancelReason, limits.cancelReason) || undefined;
    issues.throwIfAny();
    return changeOnce(context, {
      command,
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'cancel',
      proof,
      options,
      decide: ({ appointment, now }) => cancel(appointment, cancelling(caller, now, 'APCancelledEvent', reason)),
    });
  };
}

/** The deprecated v2 DELETE: cancels without a reason and tells of it by another event (spec: Endpoints, rule 8). */
export function softDeleteAppointment(context: UseCaseContext): AppointmentOperations['softDelete'] {
  return (caller: Caller, id: string, options?: CallOptions): Promise<Appointment> =>
    changeOnce(context, {
      command: { id },
      organizationId: caller.organizationId,
      id,
      caller,
      operation: 'softDelete',
      options,
      decide: ({ appointment, now }) => cancel(appointment, cancelling(caller, now, 'APDeletedEvent')),
    });
}

function cancelling(caller: Caller, at: number, event: Cancelling['event'], reason?: string): Cancelling {
  return { at, actor: actorOf(caller), event, reason };
}
