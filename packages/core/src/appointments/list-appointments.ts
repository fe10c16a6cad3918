import { type Caller, mayUseApplication } from '../caller.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import { pageOf, readPage } from '../page.js';
import { type AppointmentListQuery, appointmentSortFields } from '../ports/scheduling-store.js';
import type { TimeRange } from '../ports/time-range.js';
import type { AppointmentOperations } from '../scheduling.js';
import type { UseCaseContext } from '../use-case/context.js';
import { appointmentStates } from './appointment.js';
import type { ListAppointmentsQuery, RangeInput } from './commands.js';
import { parseInstant } from './instant.js';
import { isCalendarDuration, parseDuration } from './iso-duration.js';
import { listScope } from './list-scope.js';

/** Lists appointments (spec: Endpoints, rule 1; D30 to D34). */
export function listAppointments(context: UseCaseContext): AppointmentOperations['list'] {
  return async (caller, query) => {
    const issues = new InputIssues();
    const page = readPage(query, appointmentSortFields, { field: 'start', order: 'asc' }, issues);
    const { applicationId } = query;
    if (applicationId !== undefined) {
      issues.requiredText('/applicationId', applicationId, limits.applicationId);
    }
    const filters = {
      durations: readDurations(query, issues),
      ranges: readRanges(query.ranges, issues),
      states: readStates(query.states, issues),
    };
    for (const name of ['agentIds', 'organizerIds'] as const) {
      readIds(`/${name}`, query[name], issues);
    }
    issues.throwIfAny();
    if (applicationId !== undefined && !mayUseApplication(caller, applicationId)) {
      throw new CalendsError('forbidden', 'The credentials do not cover this application.');
    }
    const { organizationId } = caller;
    const applicationIds = applicationId === undefined ? caller.applicationIds : [applicationId];
    const ownOnly = await isOwnOnly(context, applicationIds);
    const scope = listScope(caller, query, ownOnly);
    const { items, total } = await context.store.listAppointments({
      organizationId,
      applicationIds,
      ...scope,
      ...filters,
      ...page,
    });
    return pageOf(items, total, page);
  };
}

/** Over several applications the restriction holds unless every one of them has it off (D34). */
async function isOwnOnly(context: UseCaseContext, applicationIds: Caller['applicationIds']): Promise<boolean> {
  if (applicationIds === undefined || applicationIds.length === 0) return true;
  const settings = await Promise.all(applicationIds.map((id) => context.applications.settingsOf(id)));
  return settings.some(({ agentsSeeOnlyOwnAppointments }) => agentsSeeOnlyOwnAppointments);
}

function readIds(pointer: string, ids: readonly string[] | undefined, issues: InputIssues): void {
  if (ids === undefined) return;
  requireFew(pointer, ids, issues);
  ids.slice(0, limits.listValues).forEach((id, index) => {
    issues.requiredText(`${pointer}/${String(index)}`, id, limits.agentId);
  });
}

function readDurations(
  { durations, durationForms }: ListAppointmentsQuery,
  issues: InputIssues,
): readonly number[] | undefined {
  if (durations === undefined || durations.length === 0) return undefined;
  requireFew('/durations', durations, issues);
  return durations.slice(0, limits.listValues).map((text, index) => {
    const duration = parseDuration(text, durationForms);
    // Years and months are valid in v1, and match nothing that was stored (D4).
    const unmatched = durationForms === 'iso8601' && isCalendarDuration(text);
    if (duration === undefined && !unmatched) {
      issues.add(
        `/durations/${String(index)}`,
        'invalid_format',
        'Must be an ISO 8601 duration of days, hours, minutes and seconds.',
      );
    }
    return duration ?? -1;
  });
}

function readRanges(ranges: readonly RangeInput[] | undefined, issues: InputIssues): readonly TimeRange[] | undefined {
  if (ranges === undefined || ranges.length === 0) return undefined;
  requireFew('/ranges', ranges, issues);
  return ranges.slice(0, limits.listValues).map((range, index) => {
    const side = (text: string | undefined): number | undefined => {
      if (text === undefined) return undefined;
      const instant = parseInstant(text);
      if (instant === undefined) {
        issues.add(
          `/ranges/${String(index)}`,
          'invalid_format',
          'Must be pairs of ISO 8601 timestamps, one of which may be empty.',
        );
      }
      return instant;
    };
    const read = { from: side(range.from), to: side(range.to) };
    if (range.from === undefined && range.to === undefined) {
      issues.add(`/ranges/${String(index)}`, 'required', 'Must have a start or an end.');
    } else if (read.from !== undefined && read.to !== undefined && read.to <= read.from) {
      issues.add(`/ranges/${String(index)}`, 'invalid_value', 'Must end after it starts.');
    }
    return read;
  });
}

function readStates(states: AppointmentListQuery['states'], issues: InputIssues): AppointmentListQuery['states'] {
  requireFew('/states', states ?? [], issues);
  if (states?.some((state) => !appointmentStates.includes(state)) === true) {
    issues.add('/states', 'invalid_value', `Must be of: ${appointmentStates.join(', ')}.`);
  }
  return states?.length === 0 ? undefined : states;
}

function requireFew(pointer: string, values: readonly unknown[], issues: InputIssues): void {
  if (values.length > limits.listValues) {
    issues.add(pointer, 'too_many', `Must have at most ${String(limits.listValues)} values.`);
  }
}
