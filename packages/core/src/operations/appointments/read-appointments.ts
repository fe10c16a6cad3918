import {
  appointmentSortFields,
  appointmentStates,
  isCalendarDuration,
  isWellFormedId,
  limits,
  parseDuration,
  parseInstant,
  type TimeRange,
} from '@calends/model';
import { notFound, presentAppointment } from '../change-appointment.js';
import type { CallOptions } from '../call-options.js';
import { asShownTo, customerProof } from '../customer-proof.js';
import { withRefusalsNoted } from '../noted-refusals.js';
import { authorize, isOrganizationWide } from '../../domain/appointments/access-policy.js';
import { type Caller, hasRole, requireApplication, widestRole } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { type InputIssues, parsedText, readInput } from '../../domain/calls/input.js';
import { pageOf, readPage, storedPage } from '../page.js';
import type { UseCaseContext } from '../context.js';
import { seenBy } from '../seen-by.js';
import type { ListAppointmentsQuery, RangeInput } from './commands.js';
import { readDuration } from '../../domain/appointments/schedule.js';

/** Reads one appointment (spec: Endpoints, rule 9; D42, D43). */
export function getAppointment(context: UseCaseContext) {
  return async (caller: Caller, id: string, options?: CallOptions) => {
    const proof = await customerProof(context, caller, id, 'get', options);
    if (!isWellFormedId(id)) throw notFound();
    const call = { caller, appointmentId: id, operation: 'get', proof, options } as const;
    return withRefusalsNoted(context, call, async () => {
      const found = await context.store.appointments.find(caller.organizationId, id, ...context.shown());
      const appointment = presentAppointment(found, { proof, options });
      const settings = await context.applications.settingsOf(appointment.applicationId);
      authorize('get', { caller, appointment, settings, now: context.clock.now() });
      return asShownTo(proof, appointment);
    });
  };
}

/** Lists appointments (spec: Endpoints, rule 1; D30 to D34). */
export function listAppointments(context: UseCaseContext) {
  return async (caller: Caller, query: ListAppointmentsQuery) => {
    const { applicationId } = query;
    const { page, ...filters } = readInput((issues) => readFilters(query, issues));
    if (applicationId !== undefined) requireApplication(caller, applicationId);
    const { organizationId } = caller;
    const applicationIds = applicationId === undefined ? caller.applicationIds : [applicationId];
    const ownOnly = await isOwnOnly(context, applicationIds);
    const scope = listScope(caller, query, ownOnly);
    const listed = await context.store.appointments.list(
      { organizationId, applicationIds, ...scope, ...filters, ...storedPage(page) },
      ...context.shown(),
    );
    return pageOf(listed, page);
  };
}

/** Over several applications the restriction holds unless every one of them has it off (D34). */
async function isOwnOnly(context: UseCaseContext, applicationIds: Caller['applicationIds']): Promise<boolean> {
  if (applicationIds === undefined || applicationIds.length === 0) return true;
  const settings = await Promise.all(applicationIds.map((id) => context.applications.settingsOf(id)));
  return settings.some(({ agentsSeeOnlyOwnAppointments }) => agentsSeeOnlyOwnAppointments);
}

function readFilters(query: ListAppointmentsQuery, issues: InputIssues) {
  const page = readPage(query, appointmentSortFields, { field: 'start', order: 'asc' }, issues);
  const { applicationId, states } = query;
  if (applicationId !== undefined) issues.requiredText('/applicationId', applicationId, limits.id);
  const durations = readDurations(query, issues);
  const ranges = readRanges(query.ranges, issues);
  issues.filter('/states', states, appointmentStates);
  for (const name of ['agentIds', 'organizerIds'] as const) {
    const ids = issues.filter(`/${name}`, query[name]);
    ids.slice(0, limits.queryValues).forEach((id, index) => {
      issues.requiredText(`/${name}/${String(index)}`, id, limits.agentId);
    });
  }
  return { page, durations, ranges, states: states?.length === 0 ? undefined : states };
}

function readDurations(
  { durations, durationForms }: ListAppointmentsQuery,
  issues: InputIssues,
): readonly number[] | undefined {
  if (durationForms !== undefined) issues.word('/durationForms', durationForms, ['dayTime', 'iso8601']);
  const asked = issues.filter('/durations', durations);
  if (asked.length === 0) return undefined;
  return asked.slice(0, limits.queryValues).map((given, index) => {
    const text = parsedText(given);
    const duration = parseDuration(text, durationForms);
    // Years and months are valid in v1, and match nothing that was stored (D4).
    const unmatched = durationForms === 'iso8601' && isCalendarDuration(text);
    if (duration === undefined && !unmatched) {
      const forms = durationForms === 'iso8601' ? '' : ' of days, hours, minutes and seconds';
      issues.add(`/durations/${String(index)}`, 'invalid_format', `Must be an ISO 8601 duration${forms}.`);
    }
    return duration ?? -1;
  });
}

function readRanges(ranges: readonly RangeInput[] | undefined, issues: InputIssues): readonly TimeRange[] | undefined {
  const asked = issues.filter('/ranges', ranges);
  if (asked.length === 0) return undefined;
  return asked.slice(0, limits.queryValues).map((given, index) => {
    const range = Object(given) as RangeInput;
    const side = (text: string | undefined): number | undefined => {
      if (text === undefined) return undefined;
      const instant = parseInstant(parsedText(text));
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

/** So few that anyone who comes between two pages waits for some milliseconds only. */
const pageSize = 20;
/** The first byte of an answer waits for so many. */
const firstPageSize = 5;

/**
 * Walks through what can be activated (spec: Endpoints, rule 12; D24, D69).
 *
 * Pages are read in turns with those of all other long answers, and the first one, which is small, before further ones of others
 * ({@link Turns}): a walk begins at once, however many are under way. Between its pages a walk holds nothing but the last id.
 * Over HTTP it is for client services; an agent whose host calls directly gets what `get` shows them (D23).
 */
export function listEligible(context: UseCaseContext) {
  const { store, turns } = context;
  return async function* (caller: Caller, query?: { readonly timeFrame?: string | undefined }) {
    const timeFrame = query?.timeFrame;
    if (timeFrame !== undefined) readInput((issues) => readDuration('/timeFrame', timeFrame, issues, 'iso8601'));
    const { organizationId, applicationIds } = caller;
    // Most who ask: nothing more is looked up for them.
    const isWide = isOrganizationWide(caller);
    const pageOf = (after: string | undefined, limit: number) =>
      store.appointments.listEligible(organizationId, { applicationIds, after, limit });
    let page = await turns.first(() => pageOf(undefined, firstPageSize));
    let last = page.length < firstPageSize ? undefined : page.at(-1);
    yield* isWide ? page : await seenBy(context, caller, page);
    while (last !== undefined) {
      const { id } = last;
      page = await turns.further(() => pageOf(id, pageSize));
      last = page.length < pageSize ? undefined : page.at(-1);
      yield* isWide ? page : await seenBy(context, caller, page);
    }
  };
}

/** Which appointments a listing may reach, and whose were asked for. */
export interface ListScope {
  readonly agentIds?: readonly string[] | undefined;
  readonly organizerIds?: readonly string[] | undefined;
}

/**
 * Whose appointments a caller lists (spec: Endpoints, rule 1; D34).
 *
 * With "own only" on, everyone but supervisors gets their own, whatever was asked for. A supervisor's agent
 * filter goes before the organizer filter; for all others the organizer filter is ignored.
 *
 * @throws CalendsError `forbidden` for customers
 */
export function listScope(caller: Caller, asked: ListScope, ownOnly: boolean): ListScope {
  // Over HTTP the role is refused before; a host that calls directly gets no further with a customer's caller.
  if (widestRole(caller) === 'ROLE_CUSTOMER') throw new CalendsError('forbidden', 'Customers list no appointments.');
  const supervisor = hasRole(caller, 'ROLE_SUPERVISOR');
  if (ownOnly && !supervisor) return { agentIds: [caller.id] };
  if (asked.agentIds !== undefined && asked.agentIds.length > 0) {
    return { agentIds: asked.agentIds };
  }
  return supervisor && asked.organizerIds !== undefined && asked.organizerIds.length > 0
    ? { organizerIds: asked.organizerIds }
    : {};
}
