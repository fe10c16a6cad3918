import type { Appointment } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { dueStep } from '../appointments/wake-up.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';
import { roomIfAvailable } from './room.js';

/**
 * The appointment, activated at once when its instant of automatic activation has passed already (D18).
 *
 * Part of the operation that made or moved it: the same version and the same single event.
 */
export async function activatedWhenDue(
  context: UseCaseContext,
  appointment: Appointment,
  settings: ApplicationSettings,
  now: Instant,
): Promise<Appointment> {
  if (appointment.state !== 'SCHEDULED' || dueStep(appointment, settings, now) !== 'activate') {
    return appointment;
  }
  const access = await roomIfAvailable(context, appointment, settings);
  return access === undefined ? appointment : { ...appointment, state: 'ACTIVATED', activatedAt: now, access };
}
