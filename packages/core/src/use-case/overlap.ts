import { denialOf } from '../appointments/access-policy.js';
import type { Appointment } from '../appointments/appointment.js';
import { guardedActors } from '../appointments/participants.js';
import { type Caller, widestRole } from '../caller.js';
import { CalendsError } from '../errors.js';
import type { OverlapGuard } from '../ports/scheduling-store.js';
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
 * The error of a taken slot, with the ids of those appointments in the way that the caller may see (D26).
 *
 * A customer sees an appointment by a proof for it alone, and brings none for those in the way.
 */
export async function slotConflict(
  context: UseCaseContext,
  conflicting: readonly string[],
  caller: Caller | undefined,
): Promise<CalendsError> {
  const isStaff = caller !== undefined && widestRole(caller) !== 'ROLE_CUSTOMER';
  const appointmentIds = isStaff ? await visibleOf(context, conflicting, caller) : [];
  return new CalendsError('slot_conflict', 'The time is taken.', { appointmentIds });
}

async function visibleOf(
  { store, clock, applications }: UseCaseContext,
  ids: readonly string[],
  caller: Caller,
): Promise<readonly string[]> {
  const now = clock.now();
  const visible: string[] = [];
  for (const id of ids) {
    const appointment = await store.findAppointment(caller.organizationId, id);
    if (appointment === undefined) continue;
    const settings = await applications.settingsOf(appointment.applicationId);
    if (denialOf('get', { caller, appointment, settings, now }) === undefined) visible.push(id);
  }
  return visible;
}
