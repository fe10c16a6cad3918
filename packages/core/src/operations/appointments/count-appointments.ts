import { faultWords, lastInstant, limits, type TimeWindow } from '@calends/model';
import { type Caller, requireApplication, widestRole } from '../../domain/calls/caller.js';
import { staleTicket } from '../proofs/manage-link/tickets.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { type InputIssues, readInput } from '../../domain/calls/input.js';
import type { WindowCountQuery } from '../../ports/store/appointments.js';
import type { UseCaseContext } from '../context.js';
import type { CountQuery, WindowCount } from './commands.js';
import { endsTooLate, readDuration, readInstant } from '../../domain/appointments/schedule.js';

/** Counts appointments that start in windows (spec: Endpoints, rule 11; D27). */
export function countAppointments({ store, shown }: UseCaseContext) {
  return counting((query) => store.appointments.countStarting(query, ...shown()));
}

/** Counts appointments that intersect windows (D29). */
export function countOverlapping({ store, shown }: UseCaseContext) {
  return counting((query) => store.appointments.countOverlapping(query, ...shown()));
}

type Count = (query: WindowCountQuery) => Promise<readonly number[]>;

function counting(count: Count) {
  return async (caller: Caller, query: CountQuery): Promise<readonly WindowCount[]> => {
    requireNoLink(caller);
    const windows = readInput((issues) => readWindows(query, issues));
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

function readWindows(query: CountQuery, issues: InputIssues): readonly TimeWindow[] {
  issues.requiredText('/applicationId', query.applicationId, limits.id);
  issues.requiredText('/organizationId', query.organizationId, limits.organizationId);
  const timeFrame = readDuration('/timeFrame', query.timeFrame, issues, 'iso8601');
  const starts = issues.filter('/starts', query.starts);
  if (starts.length === 0) issues.add('/starts', 'required', faultWords.required);
  const windows = starts.slice(0, limits.queryValues).map((text, index) => {
    const from = readInstant(`/starts/${String(index)}`, text, issues);
    return { from, to: from + timeFrame };
  });
  if (issues.has('/timeFrame')) return windows;
  if (timeFrame <= 0 || timeFrame > maxTimeFrame) {
    issues.add('/timeFrame', 'out_of_range', 'Must be longer than zero and at most 3660 days.');
    return windows;
  }
  const late = windows.findIndex(({ to }) => to > lastInstant);
  if (late !== -1) issues.add(`/starts/${String(late)}`, 'out_of_range', endsTooLate);
  return windows;
}

const maxTimeFrame = 3660 * 86_400_000;

/** A manage link is for one appointment; how busy an application is it does not tell (D73). */
function requireNoLink(caller: Caller): void {
  if (widestRole(caller) === 'ROLE_CUSTOMER' && caller.manage !== undefined) throw staleTicket();
}

/** Counts are told to the organization itself only (D28). */
function requireOrganization(caller: Caller, query: CountQuery): void {
  if (caller.organizationId !== query.organizationId) {
    throw new CalendsError('forbidden', 'The credentials do not cover this organization.');
  }
  requireApplication(caller, query.applicationId);
}
