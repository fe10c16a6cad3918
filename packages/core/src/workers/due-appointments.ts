import { activation } from '../appointments/activate-appointment.js';
import { abort, interact } from '../appointments/lifecycle.js';
import { seconds } from '../appointments/time-units.js';
import { type DueStep, dueStep, nextWakeAt } from '../appointments/wake-up.js';
import { workerActor } from '../caller.js';
import { withoutPersonalData } from '../customers/personal-data.js';
import { CalendsError } from '../errors.js';
import type { DueAppointment } from '../ports/scheduling-store.js';
import { changeAppointment, type Decision, type Situation } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';

/** When a room could not be opened, how long until the next try. */
const activationRetry = seconds(30);

/** How many appointments one round takes, and how long they are this worker's. */
export interface DueRound {
  readonly batchSize: number;
  readonly lease: number;
}

/**
 * Does what is due: automatic activation, no-shows, aborts, the end of retention (D14, D15, D18; decisions, section 9).
 *
 * One round; answers how many appointments were claimed. The claim spares double work between processes, the
 * version check of the commit makes each step happen once.
 */
export async function workOffDueAppointments(context: UseCaseContext, { batchSize, lease }: DueRound): Promise<number> {
  const now = context.clock.now();
  const claim = { now, limit: batchSize, leaseUntil: now + lease };
  const due = await context.store.claimDueAppointments(claim);
  for (const each of due) await workOff(context, each);
  return due.length;
}

async function workOff(context: UseCaseContext, { appointment }: DueAppointment): Promise<void> {
  const { organizationId, id } = appointment;
  try {
    const answer = await changeAppointment(context, {
      organizationId,
      id,
      operation: 'automatic',
      decide: (situation) => decideDue(context, situation),
    });
    if (answer.version === appointment.version) {
      const settings = await context.applications.settingsOf(answer.applicationId);
      await postpone(context, answer, nextWakeAt(answer, settings, context.clock.now()));
    }
  } catch (error) {
    if (CalendsError.is(error) && error.code === 'not_found') return;
    context.observer.observe({ type: 'workerFailed', job: 'dueAppointments', error });
    await postpone(context, appointment, context.clock.now() + activationRetry);
  }
}

function postpone(
  context: UseCaseContext,
  { organizationId, id, version }: DueAppointment['appointment'],
  wakeAt: number | null,
): Promise<void> {
  return context.store.postpone({
    organizationId,
    appointmentId: id,
    expectedVersion: version,
    wakeAt,
  });
}

async function decideDue(context: UseCaseContext, situation: Situation): Promise<Decision | undefined> {
  const { appointment, settings, now } = situation;
  const step: DueStep | undefined = dueStep(appointment, settings, now);
  switch (step) {
    case undefined:
      return undefined;
    case 'activate':
      return activation(context, situation, false);
    case 'markNoShow':
      return interact(appointment, { to: 'NO_SHOW', at: now, actor: workerActor });
    case 'removePersonalData': {
      const profiles = await context.store.listCustomers(appointment.organizationId, appointment.id);
      const removal = { appointment, profiles, reason: 'PDM_EXPIRED', at: now } as const;
      const decision = withoutPersonalData(removal);
      return decision && { ...decision, auditedAs: 'expireCustomer' };
    }
    case 'abortFailed':
      return abort(appointment, { at: now, reason: 'The interaction failed and was not recovered.' });
  }
}
