import type { Instant } from '@calends/model';
import type { AccessGrant, Appointment } from '../domain/appointments/appointment.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { AccessSubject, RoomOpening } from '../ports/access-provider.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';
import { dueStep } from '../domain/appointments/due-steps.js';

/** The appointment as access providers see it. */
export function accessSubject(appointment: Appointment, settings: ApplicationSettings): AccessSubject {
  const { organizationId, applicationId, id, schedule } = appointment;
  const { leadTime } = settings.autoActivation;
  return { organizationId, applicationId, appointmentId: id, schedule, leadTime };
}

/**
 * Opens the room of an appointment.
 *
 * @throws CalendsError `internal`, temporary, when the provider does not answer
 */
export async function openRoom(
  context: UseCaseContext,
  appointment: Appointment,
  settings: ApplicationSettings,
): Promise<RoomOpening> {
  try {
    return await context.accessProvider.openRoom(accessSubject(appointment, settings));
  } catch (error) {
    context.observer.observe({ type: 'activationFailed', appointmentId: appointment.id, error });
    throw new CalendsError('unavailable', 'The room could not be opened; try again.', { cause: error });
  }
}

/**
 * Opens the room of an appointment that is to be activated within another operation, if it can be had now.
 *
 * Without it the operation goes on, and the worker activates (or aborts) the appointment later (D18).
 */
async function roomIfAvailable(
  context: UseCaseContext,
  appointment: Appointment,
  settings: ApplicationSettings,
): Promise<AccessGrant | undefined> {
  try {
    const opening = await openRoom(context, appointment, settings);
    return opening.status === 'opened' ? opening.grant : undefined;
  } catch (error) {
    if (CalendsError.is(error) && error.temporary) return undefined;
    throw error;
  }
}

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
