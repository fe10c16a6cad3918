import * as z from 'zod';
import { appointmentSortFields, appointmentStates, limits, sortOrders } from '@calends/model';
import {
  integerParameter,
  rangesParameter,
  requiredTextsParameter,
  textParameter,
  textsParameter,
  wordParameter,
  wordsParameter,
} from './query-parameters.js';

/** Page and direction, the same in every listing (D30). */
export const pagingParameters = {
  pageSize: integerParameter({ min: 1, max: limits.pageSizeMax }, 'Entries per page. Default 20.').optional(),
  pageNumber: integerParameter({ min: 1, max: limits.pageNumberMax }, 'Page, from 1. Default 1.').optional(),
};

const listParameters = (durationForms: string) => ({
  applicationId: textParameter(limits.id, 'Only appointments of this application.').optional(),
  organizerId: textsParameter(limits.agentId, {
    description: 'Only appointments with one of these organizers; ignored when `agentId` is given. Use `agentId`.',
    deprecated: true,
  }).optional(),
  agentId: textsParameter(limits.agentId, {
    description:
      'Only appointments of these agents. Supervisors only, where agents see only their own appointments; for others it is ' +
      'then the caller’s own id.',
  }).optional(),
  duration: textsParameter(limits.duration, {
    description: `Only appointments that last as long as one of these. ${durationForms}`,
  }).optional(),
  range: rangesParameter(
    limits.instant,
    'Only appointments that start from `start` on and before `end`: `start,end` in UTC, ISO 8601; one side may be empty, ' +
      'several pairs widen.',
  ).optional(),
  ...pagingParameters,
  sortOrder: wordParameter(sortOrders, 'Direction of the sort. Default `asc`.').optional(),
  sortField: wordParameter(appointmentSortFields, 'Field to sort by. Default `start`.').optional(),
});

/** Query of the v2 list (spec: Endpoints, rule 1; D25 `state`). */
export const listAppointmentsQuerySchema = z.object({
  ...listParameters('PnD, PTnH, PTnM, PTnS, fractions allowed; no weeks, months or years.'),
  state: wordsParameter(appointmentStates, 'Only appointments in one of these states (additive).').optional(),
});
/** Query of the v2 list, as read. */
export type ListAppointmentsQuery = z.output<typeof listAppointmentsQuerySchema>;

/** Query of the v1 list (spec: Endpoints, rule 1). */
export const listAppointmentsQueryV1Schema = z.object(listParameters('ISO 8601 durations.'));
/** Query of the v1 list, as read. */
export type ListAppointmentsQueryV1 = z.output<typeof listAppointmentsQueryV1Schema>;

/** Query of count and overlap count (spec: Endpoints, rule 11; D27, D29). */
export const countAppointmentsQuerySchema = z.object({
  applicationId: textParameter(limits.id, 'Application to count in.'),
  organizationId: textParameter(limits.organizationId, 'Organization to count in; the caller’s own.'),
  start: requiredTextsParameter(
    limits.instant,
    {
      description: 'Starts of the windows, UTC, ISO 8601; at most 100. One item is answered for each, in order.',
    },
    'date-time',
  ),
  timeFrame: textParameter(limits.duration, 'Length of every window: an ISO 8601 duration, relative to its start.'),
});
/** Query of count and overlap count, as read. */
export type CountAppointmentsQuery = z.output<typeof countAppointmentsQuerySchema>;

/** Query of eligible (spec: Endpoints, rule 12; D24). */
export const listEligibleAppointmentsQuerySchema = z.object({
  timeFrame: textParameter(limits.duration, 'An ISO 8601 duration. It is checked and does not narrow.').optional(),
});
/** Query of eligible, as read. */
export type ListEligibleAppointmentsQuery = z.output<typeof listEligibleAppointmentsQuerySchema>;
