import { type Instant, seconds } from '@calends/model';
import { activation } from '../operations/appointments/changes.js';
import type { Appointment } from '../domain/appointments/appointment.js';
import { abort, interact } from '../domain/appointments/lifecycle.js';
import { type DueStep, dueStep, nextWakeAt } from '../domain/appointments/due-steps.js';
import { workerActor } from '../domain/calls/caller.js';
import { withoutPersonalData } from '../operations/customers/erase-customer.js';
import { CalendsError } from '../domain/calls/errors.js';
import { callProvider } from '../delivery/call-provider.js';
import { systemClock } from '../ports/clock.js';
import type { DueAppointment } from '../ports/store/appointments.js';
import { changeAppointment, type Situation } from '../operations/change-appointment.js';
import type { Decision } from '../operations/unit-of-work.js';
import type { UseCaseContext } from '../operations/context.js';
import { OneAtATime } from '../support/one-at-a-time.js';

/** When a room could not be opened, how long until the next try. */
const activationRetry = seconds(30);

/** Appointments that are worked off at a time: rooms are opened beside each other, so that none waits for a slow one (D61). */
const slots = 10;

/** How many appointments a claim takes at most, and how long they are this worker's. */
export interface DueRound {
  readonly batchSize: number;
  readonly lease: number;
}

/**
 * Does what is due: automatic activation, no-shows, aborts, the end of retention (D14, D15, D18; decisions, Across all).
 *
 * Claims as many as there are free slots and begins each at once. The claim spares double work between processes, the
 * version check of the commit makes each step happen once.
 */
export class DueAppointments {
  readonly #context: UseCaseContext;
  readonly #round: DueRound;
  readonly #turns = new OneAtATime();
  readonly #underWay = new Set<Promise<void>>();
  #lookedAt: Instant | undefined;

  constructor(context: UseCaseContext, round: DueRound) {
    this.#context = context;
    this.#round = round;
  }

  /**
   * Claims and begins all that is due, as long as it is wanted; waits only while no slot is free. Answers how many were
   * claimed.
   */
  async begin(isWanted: () => boolean): Promise<number> {
    let sum = 0;
    for (let isFull = true; isFull;) {
      const look = await this.#turns.run('look', () => this.#look(isWanted));
      sum += look.claimed;
      ({ isFull } = look);
    }
    return sum;
  }

  /** Never beside another: both would take the same slots. */
  async #look(isWanted: () => boolean): Promise<{ readonly claimed: number; readonly isFull: boolean }> {
    const { store, clock } = this.#context;
    const { batchSize, lease } = this.#round;
    while (this.#underWay.size >= slots) await Promise.race(this.#underWay);
    if (!isWanted()) return { claimed: 0, isFull: false };
    const limit = Math.min(slots - this.#underWay.size, batchSize);
    const now = clock.now();
    const byProcess = clock === systemClock;
    const due = await store.appointments.claimDue({ now, limit, leaseUntil: now + lease, byProcess });
    this.#lookedAt = clock.now();
    for (const each of due) this.#begin(each);
    return { claimed: due.length, isFull: due.length === limit };
  }

  /** When it last looked for what is due; not for the length of a claim at most, while every slot is taken. */
  get lookedAt(): Instant | undefined {
    return this.#lookedAt;
  }

  /** Waits until what is under way now has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #begin(due: DueAppointment): void {
    const work = workOff(this.#context, due, this.#round.lease).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }
}

async function workOff(
  context: UseCaseContext,
  { appointment, fastBy = 0 }: DueAppointment,
  lease: number,
): Promise<void> {
  const { organizationId, id } = appointment;
  /** By the clock of the store: a process whose own is fast would end appointments that have not begun. */
  const storeTime = (): Instant => context.clock.now() - fastBy;
  const failed = (error: unknown): void => {
    context.observer.observe({ type: 'workerFailed', job: 'dueAppointments', error });
  };
  try {
    const attributes = { 'calends.organization_id': organizationId, 'calends.appointment_id': id };
    const act = (): Promise<Appointment> =>
      changeAppointment(context, {
        organizationId,
        id,
        operation: 'automatic',
        decide: (situation) => decideDue(context, situation, storeTime(), lease),
      });
    const { spans } = context.tracing;
    const answer = await (spans === undefined
      ? act()
      : spans.followUp('calends.appointments.automatic', undefined, attributes, act));
    if (answer.version === appointment.version) {
      const settings = await context.applications.settingsOf(answer.applicationId);
      await postpone(context, answer, nextWakeAt(answer, settings, storeTime()));
    }
  } catch (error) {
    if (CalendsError.is(error) && error.code === 'not_found') return;
    failed(error);
    try {
      await postpone(context, appointment, storeTime() + activationRetry);
    } catch (fault) {
      // Its claim runs out, and it is tried again.
      failed(fault);
    }
  }
}

function postpone(
  context: UseCaseContext,
  { organizationId, id, version }: DueAppointment['appointment'],
  wakeAt: number | null,
): Promise<void> {
  return context.store.appointments.postpone({
    organizationId,
    appointmentId: id,
    expectedVersion: version,
    wakeAt,
  });
}

async function decideDue(
  context: UseCaseContext,
  situation: Situation,
  storeTime: Instant,
  lease: number,
): Promise<Decision | undefined> {
  const { appointment, settings, now } = situation;
  const step: DueStep | undefined = dueStep(appointment, settings, storeTime);
  switch (step) {
    case undefined:
      return undefined;
    case 'activate':
      // A room service that does not answer holds neither the slot nor the appointment for longer than the claim lasts.
      return callProvider(lease, () => activation(context, situation, false));
    case 'markNoShow':
      return interact(appointment, { to: 'NO_SHOW', at: now, actor: workerActor });
    case 'removePersonalData': {
      const profiles = await context.store.customers.list(appointment.organizationId, appointment.id);
      const removal = { appointment, profiles, reason: 'PDM_EXPIRED', at: now } as const;
      const decision = withoutPersonalData(removal);
      return decision && { ...decision, auditedAs: 'expireCustomer' };
    }
    case 'abortFailed':
      return abort(appointment, { at: now, reason: 'The interaction failed and was not recovered.' });
  }
}
