import * as z from 'zod';
import { limits } from '@calends/model';
import { dateParameter, textParameter, textsParameter, zoneParameter } from './query-parameters.js';

const questionParameters = {
  applicationId: textParameter(limits.id, 'Application of the service.'),
  serviceId: textParameter(limits.id, 'Service that is to be booked.'),
  agentId: textsParameter(limits.agentId, {
    description: 'Only these agents, at most 100. Default: all that the service names. Resources of the service stay.',
  }).optional(),
  appointmentId: textParameter(
    limits.id,
    'The appointment that is to be moved: its own time is not in its way. Customers with a manage link must name theirs.',
  ).optional(),
};

/** Query of the search for free times. */
export const availabilityQuerySchema = z.object({
  ...questionParameters,
  from: textParameter(limits.instant, 'Starts from here on, ISO 8601.', 'date-time'),
  to: textParameter(
    limits.instant,
    'Starts before this, ISO 8601: after `from`, and at most 92 days later (31 with a manage link).',
    'date-time',
  ),
  duration: textsParameter(limits.duration, {
    description: 'Only these durations of the service, ISO 8601; each is answered apart. Default: all of the service.',
  }).optional(),
  timezone: zoneParameter('Zone whose offset the times of the answer are written with. Default `UTC`.').optional(),
});
/** Query of the search for free times, as read. */
export type AvailabilityQuery = z.output<typeof availabilityQuerySchema>;

/** Query of the question why a time is free or not. */
export const explainQuerySchema = z.object({
  ...questionParameters,
  start: textParameter(limits.instant, 'The start that is asked about, ISO 8601.', 'date-time'),
  duration: textParameter(limits.duration, 'One of the durations of the service, ISO 8601.'),
});
/** Query of the question why a time is free or not, as read. */
export type ExplainQuery = z.output<typeof explainQuerySchema>;

/** Query of what gives a hold up. */
export const releaseHoldQuerySchema = z.object({
  applicationId: textParameter(limits.id, 'Application that it was held in; needed without a bearer token.').optional(),
});

/** Query of everything about services. */
export const servicesQuerySchema = z.object({
  applicationId: textParameter(limits.id, 'Application of the service.'),
});

/** Query of the list of exceptions. */
export const exceptionsQuerySchema = z.object({
  from: dateParameter('From this day on, `YYYY-MM-DD`. Default: all that are kept.').optional(),
  until: dateParameter('Until this day, inclusive. Default: all that are kept.').optional(),
});
