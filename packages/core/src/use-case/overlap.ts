import { denialOf } from '../appointments/access-policy.js';
import type { Appointment } from '../appointments/appointment.js';
import { busyReasons } from '../appointments/busy-reasons.js';
import { guardedActors } from '../appointments/participants.js';
import type { CustomerProfile } from '../customers/profile.js';
import { type Caller, widestRole } from '../caller.js';
import { CalendsError } from '../errors.js';
import type { OverlapGuard } from '../ports/commit.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';

/** What must be free for an appointment, when its application guards against overlaps (D26). */
export function overlapGuard(appointment: Appointment, { overlap }: ApplicationSettings): OverlapGuard | undefined {
  if (overlap.mode === 'off') return undefined;
  const { start, end } = appointment.schedule;
  return {
    actorIds: guardedActors(appointment, overlap.mode),
    window: { from: start - overlap.buffer, to: end + overlap.buffer },
  };
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
  const profiles = [...changed, ...(await store.listCustomers(organizationId, id))];
  const variants = guarded.flatMap((participant) => {
    const profile = profiles.find(({ participantId }) => participantId === participant.id);
    return profile === undefined ? [] : identityVariants(organizationId, participant.identity ?? '', profile);
  });
  return { ...guard, actorIds: [...new Set([...guard.actorIds, ...variants])] };
}

/** A commit that was refused because its time is taken. */
export interface RefusedTime {
  readonly guard: OverlapGuard | undefined;
  /** Ids of the appointments in the way. */
  readonly conflicting: readonly string[];
  /** Absent = a customer with a one-time password. */
  readonly caller: Caller | undefined;
}

/**
 * The error of a taken slot, with those appointments in the way that the caller may see, and the reasons (D26, D75).
 *
 * A customer sees an appointment by a proof for it alone, and brings none for those in the way.
 */
export async function slotConflict(
  context: UseCaseContext,
  { guard, conflicting, caller }: RefusedTime,
): Promise<CalendsError> {
  const isStaff = caller !== undefined && widestRole(caller) !== 'ROLE_CUSTOMER';
  const visible = isStaff ? await visibleOf(context, conflicting, caller) : [];
  return new CalendsError('slot_conflict', 'The time is taken.', {
    appointmentIds: visible.map(({ id }) => id),
    reasons: busyReasons({
      guard: guard ?? { actorIds: [] },
      visible,
      hasOthers: visible.length < conflicting.length,
    }),
  });
}

async function visibleOf(
  { store, clock, applications }: UseCaseContext,
  ids: readonly string[],
  caller: Caller,
): Promise<readonly Appointment[]> {
  const now = clock.now();
  const visible: Appointment[] = [];
  for (const id of ids) {
    const appointment = await store.findAppointment(caller.organizationId, id);
    if (appointment === undefined) continue;
    const settings = await applications.settingsOf(appointment.applicationId);
    if (denialOf('get', { caller, appointment, settings, now }) === undefined) visible.push(appointment);
  }
  return visible;
}
