import { InputIssues } from '../input.js';
import type { AppointmentOperations } from '../scheduling.js';
import type { UseCaseContext } from '../use-case/context.js';
import { readDuration } from './schedule.js';

/** The document answers them all in one array; without a bound one request could take all of a server's memory. */
const mostEligible = 10_000;

/** Lists what can be activated (spec: Endpoints, rule 12; D24). */
export function listEligible(context: UseCaseContext): AppointmentOperations['listEligible'] {
  return async (caller, query) => {
    const issues = new InputIssues();
    if (query?.timeFrame !== undefined) readDuration('/timeFrame', query.timeFrame, issues, 'iso8601');
    issues.throwIfAny();
    return context.store.listEligible(caller.organizationId, caller.applicationIds, mostEligible);
  };
}
