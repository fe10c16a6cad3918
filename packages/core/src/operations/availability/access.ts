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
 * False for an application of another organization: what is asked about it is answered as for one that nobody has (D39).
 *
 * @throws CalendsError `forbidden` where the token does not cover the application
 */
export async function mayBeOwnApplication(
  { applications }: UseCaseContext,
  caller: Caller,
  applicationId: string,
): Promise<boolean> {
  requireApplication(caller, applicationId);
  const { organizationId = caller.organizationId } = await applications.settingsOf(applicationId);
  return organizationId === caller.organizationId;
}

/** @throws CalendsError `not_found` where availability is off */
export function requireRoom({ availability }: UseCaseContext): AvailabilityRoom {
  if (availability === undefined) {
    throw new CalendsError('not_found', 'Availability is off; `availability: {}` of createScheduling turns it on.');
  }
  return availability;
}
