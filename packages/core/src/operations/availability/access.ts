import { type Caller, hasRole, isStaff, requireApplication } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import type { UseCaseContext } from '../context.js';
import type { AvailabilityRoom } from './room.js';

/** @throws CalendsError `forbidden` for everybody else */
export function requireStaff(caller: Caller): void {
  if (!isStaff(caller)) throw new CalendsError('forbidden', 'Services and hours are for staff.');
}

/** @throws CalendsError `forbidden` for everybody else */
export function requireSupervisor(caller: Caller): void {
  if (!hasRole(caller, 'ROLE_SUPERVISOR')) {
    throw new CalendsError('forbidden', 'Services and hours are changed by supervisors.');
  }
}

/**
 * Lets a caller pass whose token covers the application, which must not be another organization's.
 *
 * @throws CalendsError `forbidden`
 */
export async function requireOwnApplication(
  { applications }: UseCaseContext,
  caller: Caller,
  applicationId: string,
): Promise<void> {
  requireApplication(caller, applicationId);
  const { organizationId = caller.organizationId } = await applications.settingsOf(applicationId);
  if (organizationId !== caller.organizationId) {
    throw new CalendsError('forbidden', 'The credentials do not cover this application.');
  }
}

/** @throws CalendsError `not_found` where availability is off */
export function requireRoom({ availability }: UseCaseContext): AvailabilityRoom {
  if (availability === undefined) {
    throw new CalendsError('not_found', 'Availability is off; `availability: {}` of createScheduling turns it on.');
  }
  return availability;
}
