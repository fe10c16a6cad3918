import { widestRole } from '../caller.js';
import { InputIssues } from '../input.js';
import type { AppointmentOperations } from '../scheduling.js';
import { activatedWhenDue } from '../use-case/activated-when-due.js';
import { changeOnce } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import { customerProof } from '../use-case/customer-proof.js';
import { overlapGuard } from '../use-case/overlap.js';
import { reschedule } from './lifecycle.js';
import { requireAcceptable, readSchedule, sameSchedule } from './schedule.js';
import { readLocale } from './schedule-command.js';

/** Moves an appointment to another time (spec: Endpoints, rule 7; D20). */
export function rescheduleAppointment(context: UseCaseContext): AppointmentOperations['reschedule'] {
  return async (caller, command, options) => {
    const proof = await customerProof(context, caller, command.id, 'reschedule', options);
    const issues = new InputIssues();
    const schedule = readSchedule(command, issues);
    const locale = readLocale(command.locale, issues);
    issues.throwIfAny();
    return changeOnce(context, {
      command,
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'reschedule',
      proof,
      options,
      decide: async ({ appointment, settings, now }) => {
        const moved = reschedule(appointment, {
          schedule,
          locale,
          at: now,
          byCustomer: widestRole(caller) === 'ROLE_CUSTOMER',
        });
        if (moved === undefined) return undefined;
        if (!sameSchedule(schedule, appointment.schedule)) {
          requireAcceptable(schedule, settings, now);
        }
        const next = await activatedWhenDue(context, moved.next, settings, now);
        return { ...moved, next, guard: overlapGuard(next, settings) };
      },
    });
  };
}
