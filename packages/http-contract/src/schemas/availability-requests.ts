import * as z from 'zod';
import { exceptionSchema, hoursSchema, limits, serviceSchema } from '@calends/model';
import { request, shared } from '../wire-documentation.js';
import { boundedArray } from './bounded.js';
import { fields, optionalText, requiredText } from './request-fields.js';

/*
 * The rules of services and hours have one form in settings, stores and here: their schemas are those of the model, and
 * this says in the document what their fields mean.
 */

/** Rules of a service, in requests and answers. */
export const serviceRulesSchema = documented(
  serviceSchema,
  { id: 'ServiceRules', description: 'What can be booked: for how long, on which grid, by whom.' },
  {
    title: 'What customers are shown.',
    description: 'More of it.',
    timezone: 'IANA zone of the grid, of days counted by lead time and horizon, and of limits of the service.',
    durations: 'ISO 8601, whole minutes, from `PT1M` to `P7D`, each length once.',
    grid:
      '`step` from start to start, which divides 24 hours; `anchor`: `midnight` in the zone of the service (the default), or ' +
      '`opening`, each opening’s start in the zone of the actor, where one actor is needed in all.',
    bufferBefore: 'Time around an appointment that stays free of others, at most 24 hours. Default none.',
    leadTime: 'No start before now and this: a `duration`, or so many `days` of the calendar. Default none.',
    horizon: 'No start after now and this: a `duration`, or so many `days` of the calendar. Default: no bound.',
    limits:
      'So many appointments at most, `per` agent or service and in a `window` of a day or a week from Monday; `of`: those of ' +
      'the service (the default) or any.',
    requirements:
      'Who takes part: of the ids in `anyOf` so many at once as `count` says; default 1. Nobody takes part twice.',
    assignment: 'Who is taken first where several are free; nobody is left out by it.',
  },
);

/** Hours of an actor, in requests and answers. */
export const hoursRulesSchema = documented(
  hoursSchema,
  { id: 'HoursRules', description: 'When an agent or a resource works in a usual week.' },
  {
    timezone: 'IANA zone of the times.',
    weekly:
      'Shifts: on these `days`, `from` (`HH:MM`) to `until` (`24:00` is midnight at the end of the day; before `from` = on the ' +
      'next day), every so many weeks counted from the week of `validFrom`, on days from `validFrom` to `validUntil`.',
  },
);

/** What holds on one day, in requests and answers. */
export const exceptionRulesSchema = documented(
  exceptionSchema,
  { id: 'HoursExceptionRules', description: 'What takes the place of the weekly rules on one day.' },
  { open: 'Shifts that begin on that day; none = closed.' },
);

function documented<Schema extends z.ZodObject>(
  schema: Schema,
  documentation: { readonly id: string; readonly description: string },
  fieldsOf: Readonly<Partial<Record<keyof Schema['shape'] & string, string>>>,
): Schema {
  for (const [name, description] of Object.entries<string | undefined>(fieldsOf)) {
    const field = (schema.shape as Readonly<Record<string, z.ZodType | undefined>>)[name];
    if (field !== undefined && description !== undefined) shared(field, description);
  }
  return shared(schema, documentation);
}

/** Body of the request for a hold. */
export const holdRequestSchema = request(
  z.object({
    applicationId: requiredText(limits.id, 'Application of the service.'),
    serviceId: requiredText(limits.id, 'Service that is to be booked.'),
    start: fields.start(),
    duration: fields.duration(),
    agentIds: request(
      boundedArray(z.string().min(1).max(limits.agentId), { min: 1, max: limits.actors }).nullish(),
      'Only these agents. Default: all that the service names.',
    ),
    appointmentId: optionalText(limits.id, 'The appointment that is to be moved: its own time is not in its way.'),
    replaces: optionalText(limits.holdToken, 'Token of a hold that is given up in the same step.'),
  }),
  { id: 'HoldRequest', description: 'The time to hold.' },
);
/** Body of the request for a hold. */
export type HoldRequest = z.infer<typeof holdRequestSchema>;
