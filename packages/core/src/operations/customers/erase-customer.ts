import type { Instant } from '@calends/model';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { reasons } from '../../domain/notifications/reasons.js';
import { nowByStore } from '../../ports/clock.js';
import { changeAppointment, notFound } from '../change-appointment.js';
import { type Decision, follow, lineOf } from '../unit-of-work.js';
import { type KeptCustomer, keptCustomers } from './kept-messages.js';
import type { UseCaseContext } from '../context.js';
import type { CustomerSelection } from './commands.js';
import { requireDataRights, selectedPages } from './selection.js';
import type { CustomerProfile, RemovalReason } from '../../domain/customers/profile.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { revise } from '../../domain/appointments/lifecycle.js';

/** Removes the personal data of customers (decisions, Across all; D57). */
export function eraseCustomer(context: UseCaseContext) {
  return async (caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<number> => {
    await requireDataRights(context, { caller, selection, operation: 'eraseCustomer', options });
    const profiles = await eraseProfiles(context, caller, selection, options);
    // What a record leaves behind when it is removed meanwhile is found after its profiles.
    const kept = await keptCustomers(context, caller, selection);
    for (const customer of kept) await takeBack(context, caller, customer, options);
    if (profiles.found + kept.length === 0 && 'participantId' in selection) throw notFound();
    return profiles.erased + kept.length;
  };
}

/** Erases where the record is there; answers how many profiles it met, and for how many data was removed. */
async function eraseProfiles(
  context: UseCaseContext,
  caller: Caller,
  selection: CustomerSelection,
  options: CallOptions | undefined,
): Promise<{ readonly found: number; readonly erased: number }> {
  let [found, erased] = [0, 0];
  for (;;) {
    let now = 0;
    for await (const selected of selectedPages(context, caller, selection)) {
      found += selected.length;
      const held = selected.filter(({ removal }) => removal === undefined);
      for (const [appointmentId, profiles] of byAppointment(held)) {
        now += await eraseIn(context, caller, appointmentId, profiles, options);
      }
    }
    erased += now;
    // Whatever another call does meanwhile, this one must not look at the same profiles for ever.
    if (now === 0) return { found, erased };
  }
}

/** Takes back what is to be sent to a customer whose record was removed, and with it what it keeps of them. */
async function takeBack(
  context: UseCaseContext,
  caller: Caller,
  { appointment, profile }: KeptCustomer,
  options: CallOptions | undefined,
): Promise<void> {
  const { organizationId, appointmentId, participantId: addresseeId } = profile;
  const at = context.clock.now();
  const cancel = [{ appointmentId, addresseeId, message: reasons.personalDataRemoved, at }];
  const audit = [lineOf(context, 'eraseCustomer', caller, appointment, options)];
  const now = nowByStore(context.clock, at);
  const result = await context.store.commit({ organizationId, now, events: [], audit, notifications: { cancel } });
  const sending = result.status === 'committed' ? result.sending : undefined;
  await follow(context, { organizationId, event: undefined, plansMessages: false, sending });
}

/** Erases in one appointment, which may be in any state; answers for how many customers. */
async function eraseIn(
  context: UseCaseContext,
  caller: Caller,
  appointmentId: string,
  selected: readonly CustomerProfile[],
  options: CallOptions | undefined,
): Promise<number> {
  const { organizationId } = caller;
  const ids = new Set(selected.map(({ participantId }) => participantId));
  let erased = 0;
  try {
    await changeAppointment(context, {
      organizationId,
      id: appointmentId,
      caller,
      operation: 'eraseCustomer',
      options: { correlationId: options?.correlationId },
      decide: async ({ appointment, now }) => {
        const present = await context.store.customers.list(organizationId, appointmentId);
        const profiles = present.filter(({ participantId }) => ids.has(participantId));
        const decision = withoutPersonalData({ appointment, profiles, reason: 'PDM_ERASED', at: now });
        erased = decision?.customers?.length ?? 0;
        return decision;
      },
    });
  } catch (error) {
    // The record was removed meanwhile, and the profiles with it.
    if (CalendsError.is(error) && error.code === 'not_found') return 0;
    throw error;
  }
  return erased;
}

function byAppointment(profiles: readonly CustomerProfile[]): ReadonlyMap<string, readonly CustomerProfile[]> {
  const groups = new Map<string, CustomerProfile[]>();
  for (const profile of profiles) {
    const group = groups.get(profile.appointmentId);
    if (group === undefined) groups.set(profile.appointmentId, [profile]);
    else group.push(profile);
  }
  return groups;
}

/** Whose data goes, when and why. */
interface Removal {
  readonly appointment: Appointment;
  /** Profiles of its customers whose data is to go; those whose data is gone are passed over. */
  readonly profiles: readonly CustomerProfile[];
  readonly reason: RemovalReason;
  readonly at: Instant;
}

/**
 * Takes customers' personal data out of an appointment, in any state: the profiles become empty and say why, nothing
 * recognises the customers any more, their links end, and what waits to be sent to them is taken back.
 *
 * `undefined` when all of it has gone before.
 */
export function withoutPersonalData({ appointment, profiles, reason, at }: Removal): Decision | undefined {
  const held = profiles.filter(({ removal }) => removal === undefined);
  const ids = new Set(held.map(({ participantId }) => participantId));
  if (ids.size === 0) return undefined;
  const participants = appointment.participants.map((participant) =>
    ids.has(participant.id) ? { id: participant.id, type: participant.type } : participant,
  );
  const [only, ...more] = ids;
  return {
    next: revise(appointment, { participants }, at),
    event: {
      type: 'APParticipantUpdatedEvent',
      data: { participantId: more.length === 0 ? only : undefined, reason },
    },
    customers: held.map(({ organizationId, appointmentId, participantId }) => ({
      organizationId,
      appointmentId,
      participantId,
      metadata: {},
      removal: { reason, at },
    })),
    tickets: { ended: [...ids] },
    messages: { silenced: [...ids] },
  };
}
