import { denialOf } from '../appointments/access-policy.js';
import type { Appointment } from '../appointments/appointment.js';
import { guardedActors } from '../appointments/participants.js';
import type { Caller } from '../caller.js';
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

/** The error of a taken slot, with the ids of those appointments in the way that the caller may see (D26). */
export async function slotConflict(
  context: UseCaseContext,
  organizationId: string,
  conflicting: readonly string[],
  caller: Caller | undefined,
): Promise<CalendsError> {
  const now = context.clock.now();
  const visible: string[] = [];
  for (const id of conflicting) {
    const appointment = await context.store.findAppointment(organizationId, id);
    if (appointment === undefined) continue;
    const settings = await context.applications.settingsOf(appointment.applicationId);
    const question = caller && { caller, appointment, settings, now };
    if (question === undefined || denialOf('get', question) === undefined) visible.push(id);
  }
  return new CalendsError('slot_conflict', 'The time is taken.', { appointmentIds: visible });
}
