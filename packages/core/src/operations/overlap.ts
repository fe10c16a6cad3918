import type { Appointment, BookedService } from '../domain/appointments/appointment.js';
import {
  actorsOf,
  assignedAgents,
  blocksTime,
  guardedActors,
  isServiceActorId,
} from '../domain/appointments/participants.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import { type Caller, widestRole } from '../domain/calls/caller.js';
import { CalendsError, type TimeReason } from '../domain/calls/errors.js';
import type { LimitGuard, OverlapGuard } from '../ports/store/commit.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';
import { seenBy } from './seen-by.js';

/**
 * What must be free for an appointment that takes time: when its application guards against overlaps (D26), and always where it
 * was booked with a service. Where availability is on, holds and the buffers of others count as well.
 */
export function overlapGuard(
  { availability }: Pick<UseCaseContext, 'availability'>,
  appointment: Appointment,
  { overlap }: ApplicationSettings,
): OverlapGuard | undefined {
  if (!blocksTime(appointment)) return undefined;
  const { schedule, service } = appointment;
  const { start, end } = schedule;
  if (availability !== undefined && service !== undefined) {
    return {
      actorIds: guardedBooking(appointment, service, overlap.mode),
      window: { from: start - service.buffers.before, to: end + service.buffers.after },
      span: { from: start, to: end },
    };
  }
  if (overlap.mode === 'off') return undefined;
  return {
    actorIds: guardedActors(appointment, overlap.mode),
    window: { from: start - overlap.buffer, to: end + overlap.buffer },
    span: availability && { from: start, to: end },
  };
}

/** All agents and resources of a booking with a service, and its customers where the application guards those. */
function guardedBooking(
  appointment: Appointment,
  { resources }: BookedService,
  mode: ApplicationSettings['overlap']['mode'],
): readonly string[] {
  const customers = mode === 'off' || mode === 'agent' ? [] : guardedActors(appointment, 'customer');
  return [...new Set([...assignedAgents(appointment), ...resources, ...customers])];
}

/**
 * The guard under every key of this process: while one secret takes the place of another, the index has customers under
 * both (D67). Reads the profiles of the appointment, and only then.
 */
export async function guardUnderEveryKey(
  { keys, identityVariants, store }: UseCaseContext,
  guard: OverlapGuard | undefined,
  { organizationId, id, participants }: Appointment,
  changed: readonly CustomerProfile[] = [],
): Promise<OverlapGuard | undefined> {
  if (guard === undefined || keys.all.length === 1) return guard;
  const guarded = participants.filter(({ identity }) => identity !== undefined && guard.actorIds.includes(identity));
  if (guarded.length === 0) return guard;
  const profiles = [...changed, ...(await store.customers.list(organizationId, id))];
  const variants = guarded.flatMap((participant) => {
    const profile = profiles.find(({ participantId }) => participantId === participant.id);
    return profile === undefined ? [] : identityVariants(organizationId, participant.identity ?? '', profile);
  });
  return { ...guard, actorIds: [...new Set([...guard.actorIds, ...variants])] };
}

/** A commit that was refused because its time is taken. */
interface RefusedTime {
  readonly guard: OverlapGuard | undefined;
  /** Ids of the appointments in the way. */
  readonly conflicting: readonly string[];
  /** True = a hold is in the way. */
  readonly isHeld?: boolean | undefined;
  /** Absent = a customer with a one-time password. */
  readonly caller: Caller | undefined;
}

/**
 * The error of a taken slot, with those appointments in the way that the caller may see, and the reasons (D26, D75).
 *
 * A customer sees an appointment by a proof for it only, and brings none for those in the way.
 */
export async function slotConflict(
  context: UseCaseContext,
  { guard, conflicting, isHeld = false, caller }: RefusedTime,
): Promise<CalendsError> {
  const isStaff = caller !== undefined && widestRole(caller) !== 'ROLE_CUSTOMER';
  const visible = isStaff ? await visibleOf(context, conflicting, caller) : [];
  return new CalendsError('slot_conflict', 'The time is taken.', {
    appointmentIds: visible.map(({ id }) => id),
    reasons: [
      ...busyReasons({
        guard: guard ?? { actorIds: [] },
        visible,
        hasOthers: visible.length < conflicting.length,
      }),
      ...(isHeld ? heldReasons(isStaff, conflicting.length === 0) : []),
    ],
  });
}

/** That a time is held is told to staff; to a customer it is taken, once. */
function heldReasons(isStaff: boolean, isAlone: boolean): readonly TimeReason[] {
  if (isStaff) return [{ code: 'HELD' }];
  return isAlone ? [{ code: 'BUSY' }] : [];
}

/** The hold of a booking has ended, was used, given up, or is for something else. */
export function holdLost(): CalendsError {
  return new CalendsError('hold_lost', 'The hold does not hold any more.');
}

/** The error of a limit that is reached; staff is told which agent's it is. */
export function limitReached(limit: LimitGuard | undefined, caller: Caller | undefined): CalendsError {
  const isStaff = caller !== undefined && widestRole(caller) !== 'ROLE_CUSTOMER';
  const isNamed = isStaff && limit !== undefined && !isServiceActorId(limit.actorId);
  return new CalendsError('limit_reached', 'A limit of bookings is reached.', {
    reasons: [{ code: 'LIMIT', ...(isNamed ? { actorId: limit.actorId } : {}) }],
  });
}

/** Those of the appointments that the caller may see. */
export async function visibleOf(
  context: UseCaseContext,
  ids: readonly string[],
  caller: Caller,
): Promise<readonly Appointment[]> {
  const found: Appointment[] = [];
  for (const id of ids) {
    const appointment = await context.store.appointments.find(caller.organizationId, id);
    if (appointment !== undefined) found.push(appointment);
  }
  return seenBy(context, caller, found);
}

/** What stands in the way of a time, as far as its reader may know. */
interface TakenTime {
  readonly guard: Pick<OverlapGuard, 'actorIds'>;
  /** The appointments in the way that the reader may see. */
  readonly visible: readonly Appointment[];
  /** True = there are others, which the reader may not see or which are gone by now. */
  readonly hasOthers: boolean;
}

/**
 * Why a time is taken, never empty for a time that is (D75): one reason for each visible appointment and agent in the way; then, once, the bare code
 * for everything else.
 *
 * A customer is not named: the guard knows customers by a hash of who they are. A reason without `actorId` also stands for
 * an appointment that changed since and is in nobody's way any more.
 */
export function busyReasons({ guard, visible, hasOthers }: TakenTime): readonly TimeReason[] {
  const guarded = new Set(guard.actorIds);
  const reasons = visible.flatMap((appointment): readonly TimeReason[] => {
    const inTheWay = actorsOf(appointment).filter(({ actorId }) => guarded.has(actorId));
    const agents = new Set(inTheWay.flatMap(({ actorId, relation }) => (relation === 'CUSTOMER' ? [] : actorId)));
    const unnamed = agents.size === 0 || inTheWay.some(({ relation }) => relation === 'CUSTOMER');
    const busy = { code: 'BUSY', appointmentId: appointment.id } as const;
    return [...Array.from(agents, (actorId) => ({ ...busy, actorId })), ...(unnamed ? [busy] : [])];
  });
  return hasOthers ? [...reasons, { code: 'BUSY' }] : reasons;
}
