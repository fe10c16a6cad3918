import { firstInstant, type Instant, isSafeText, lastInstant, limits } from '@calends/model';
import type { AccessGrant, Appointment } from '../domain/appointments/appointment.js';
import { CalendsError } from '../domain/calls/errors.js';
import { plainText } from '../domain/notifications/notification.js';
import type { AccessDetails, AccessSubject, RoomOpening } from '../ports/access-provider.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { dropRejectionsIn, fieldsOf } from '../support/host-answers.js';
import type { UseCaseContext } from './context.js';

/** Characters of what a host's service may answer of a room: MariaDB keeps 64 KB of each. */
const maxConferenceId = 1024;
const maxRoomUrl = 16_000;

/** The appointment as access providers see it: a copy, so that what one writes into it moves no appointment. */
export function accessSubject(appointment: Appointment, settings: ApplicationSettings): AccessSubject {
  const { organizationId, applicationId, id, schedule } = appointment;
  const { leadTime } = settings.autoActivation;
  return { organizationId, applicationId, appointmentId: id, schedule: { ...schedule }, leadTime };
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
    return readOpening(await context.accessProvider.openRoom(accessSubject(appointment, settings)));
  } catch (error) {
    context.observer.observe({ type: 'activationFailed', appointmentId: appointment.id, error });
    throw new CalendsError('unavailable', 'The room could not be opened; try again.', { cause: error });
  }
}

/**
 * What `openRoom` of a host has answered, as the port has it: what it does not say must neither end an appointment nor be kept.
 *
 * @throws TypeError when it does not say whether there is a room, and which
 */
function readOpening(answer: unknown): RoomOpening {
  const { status, grant, reason } = fieldsOf(answer);
  if (status === 'refused') {
    dropRejectionsIn(answer);
    return { status, reason: typeof reason === 'string' ? plainText(reason, limits.cancelReason) : 'no reason given' };
  }
  const { conferenceId, roomUrl } = fieldsOf(grant);
  // Without an id no join claim could be told from another's; what not every store takes would fail the commit, each time.
  const isKept = (value: unknown, maxLength: number): value is string =>
    typeof value === 'string' && value.length <= maxLength && isSafeText(value);
  const isRoom = isKept(conferenceId, maxConferenceId) && conferenceId !== '' && isKept(roomUrl, maxRoomUrl);
  if (status !== 'opened' || !isRoom) {
    dropRejectionsIn(answer);
    throw new TypeError('accessProvider: openRoom must answer { status, grant } or { status, reason }');
  }
  return { status, grant: { conferenceId, roomUrl } };
}

/**
 * What is needed to join an activated appointment.
 *
 * @throws whatever the provider throws, and TypeError for details that are none: they would fail the answer that they go into
 */
export async function accessDetails(
  context: Pick<UseCaseContext, 'accessProvider' | 'applications'>,
  appointment: Appointment & { readonly state: 'ACTIVATED' },
): Promise<AccessDetails> {
  const settings = await context.applications.settingsOf(appointment.applicationId);
  const answer: unknown = await context.accessProvider.details(
    { ...appointment.access },
    accessSubject(appointment, settings),
  );
  const { secureToken, roomUrl, expires } = fieldsOf(answer);
  const isTime = typeof expires === 'number' && expires >= firstInstant && expires <= lastInstant;
  if (typeof secureToken !== 'string' || typeof roomUrl !== 'string' || !isTime) {
    dropRejectionsIn(answer);
    throw new TypeError('accessProvider: details must answer { secureToken, roomUrl, expires }');
  }
  return { secureToken, roomUrl, expires };
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
 * The appointment, activated within the operation that made or moved it, since its time of automatic activation has passed
 * (D18): the same version and the same single event. As it was where its room cannot be had.
 */
export async function activated(
  context: UseCaseContext,
  appointment: Appointment,
  settings: ApplicationSettings,
  now: Instant,
): Promise<Appointment> {
  const access = await roomIfAvailable(context, appointment, settings);
  if (access === undefined || appointment.state !== 'SCHEDULED') return appointment;
  return { ...appointment, state: 'ACTIVATED', activatedAt: now, access };
}
