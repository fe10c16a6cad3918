import { type Caller, mayUseApplication, widestRole } from '../caller.js';
import { staleTicket } from '../customers/manage-tickets.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { WindowCountQuery } from '../ports/scheduling-store.js';
import type { TimeWindow } from '../ports/time-range.js';
import type { AppointmentOperations } from '../scheduling.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { CountQuery } from './commands.js';
import { readDuration, readInstant } from './schedule.js';

/** Counts appointments that start in windows (spec: Endpoints, rule 11; D27). */
export function countAppointments(context: UseCaseContext): AppointmentOperations['count'] {
  return counting((query) => context.store.countStarting(query));
}

/** Counts appointments that intersect windows (D29). */
export function countOverlapping(context: UseCaseContext): AppointmentOperations['countOverlapping'] {
  return counting((query) => context.store.countOverlapping(query));
}

type Count = (query: WindowCountQuery) => Promise<readonly number[]>;

function counting(count: Count): AppointmentOperations['count'] {
  return async (caller, query) => {
    requireNoLink(caller);
    const windows = readWindows(query);
    requireOrganization(caller, query);
    const { organizationId, applicationId } = query;
    const counts = await count({ organizationId, applicationId, windows });
    return windows.map(({ from, to }, index) => ({
      count: counts[index] ?? 0,
      start: from,
      end: to,
    }));
  };
}

function readWindows(query: CountQuery): readonly TimeWindow[] {
  const issues = new InputIssues();
  issues.requiredText('/applicationId', query.applicationId, limits.applicationId);
  issues.requiredText('/organizationId', query.organizationId, limits.organizationId);
  const timeFrame = readDuration('/timeFrame', query.timeFrame, issues, 'iso8601');
  const { starts } = query;
  if (starts.length === 0) issues.add('/starts', 'required', 'Must be given.');
  if (starts.length > limits.countedStarts) {
    const most = String(limits.countedStarts);
    issues.add('/starts', 'too_many', `Must have at most ${most} values.`);
  }
  const windows = starts.slice(0, limits.countedStarts).map((text, index) => {
    const from = readInstant(`/starts/${String(index)}`, text, issues);
    return { from, to: from + timeFrame };
  });
  if (!issues.has('/timeFrame') && (timeFrame <= 0 || timeFrame > longestTimeFrame)) {
    issues.add('/timeFrame', 'out_of_range', 'Must be longer than zero and at most 3660 days.');
  }
  issues.throwIfAny();
  return windows;
}

const longestTimeFrame = 3660 * 86_400_000;

/** A manage link is for one appointment; how busy an application is it does not tell (D73). */
function requireNoLink(caller: Caller): void {
  if (widestRole(caller) === 'ROLE_CUSTOMER' && caller.manage !== undefined) throw staleTicket();
}

/** Counts are told to the organization itself alone (D28). */
function requireOrganization(caller: Caller, query: CountQuery): void {
  if (caller.organizationId !== query.organizationId || !mayUseApplication(caller, query.applicationId)) {
    throw new CalendsError('forbidden', 'The credentials do not cover this application.');
  }
}
