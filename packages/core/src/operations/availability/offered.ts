import { defaultOrganization, limits } from '@calends/model';
import { type Caller, isStaff } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import type { UseCaseContext } from '../context.js';
import { mayBeOwnApplication, requireRoom } from './access.js';
import type { OfferedService, Visitor } from './commands.js';
import { readId } from './read-rules.js';

/** Services of an application as those see them who look for one to book: without who, and without rules. */
export function offeredServices(context: UseCaseContext) {
  return async (
    by: Caller | Visitor,
    { applicationId }: { readonly applicationId: string },
  ): Promise<readonly OfferedService[]> => {
    const { options, source } = requireRoom(context);
    const staff = 'clientAddress' in by || !isStaff(by) ? undefined : by;
    const isAdmitted = 'clientAddress' in by && by.admitted === true;
    if (staff === undefined && !isAdmitted && options.public !== true) {
      throw 'clientAddress' in by
        ? new CalendsError('unauthenticated', 'Credentials are needed.')
        : new CalendsError('forbidden', 'The operation is for staff.');
    }
    readInput((issues) => {
      readId('/applicationId', applicationId, limits.id, issues);
    });
    if (staff !== undefined && !(await mayBeOwnApplication(context, staff, applicationId))) return [];
    const organizationId =
      staff?.organizationId ??
      (await context.applications.settingsOf(applicationId)).organizationId ??
      defaultOrganization;
    const services = await source.servicesOf({ organizationId, applicationId });
    return services.map(({ id, title, description, durations, timezone }) => ({
      id,
      title,
      ...(description === undefined ? {} : { description }),
      durations,
      timezone,
    }));
  };
}
