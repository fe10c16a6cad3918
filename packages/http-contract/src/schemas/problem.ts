import * as z from 'zod';
import { errorCodes, timeReasonCodes } from '@calends/model';
import { response, responseObject } from '../wire-documentation.js';
import { optionalText, text } from './answers.js';

const fieldError = responseObject('FieldError', 'One fault of a request.', {
  pointer: response(z.string().optional(), 'JSON Pointer (RFC 6901) into the body; empty for the body itself.'),
  parameter: response(
    z.string().optional(),
    'Name of a query parameter or header, or `date` of the path. With neither it is about the query as a whole.',
  ),
  code: text('Stable word for the rule that is broken, such as `required` or `too_long`.'),
  detail: text('The rule in one sentence; never the value sent.'),
});

/** One reason for which a time cannot be had. */
export const timeReasonSchema = response(
  z.object({
    code: response(
      z.enum(timeReasonCodes),
      '`OFF_GRID`: no start is there. `LEAD_TIME`, `HORIZON`: too soon, too far away. `OUTSIDE_HOURS`, `CLOSED`: the actor does ' +
        'not work then, or not on that day. `SOURCE_STALE`: nobody knows whether the actor is free. `BUSY`: another appointment ' +
        'is there. `BUFFER`: one is too near. `HELD`: somebody is about to book it. `BUSY_ELSEWHERE`: the actor has something ' +
        'else to do. `LIMIT`: so many are booked already. `NO_ACTOR`: the service names too few.',
    ),
    actorId: optionalText(
      'The agent or resource that it is about; absent for a customer, for what is about no actor, and where the caller may ' +
        'not know.',
    ),
    appointmentId: optionalText('The appointment in the way; absent where the caller may not see it.'),
  }),
  { id: 'TimeReason', description: 'One reason for which a time cannot be had.' },
);

/** Body of every error answer: RFC 9457 with additions (D36). */
export const problemSchema = response(
  z.object({
    type: text('`urn:calends:problem:` and the code.'),
    title: text('What went wrong, the same for every problem of this code.'),
    status: z.int().min(400).max(599),
    detail: text('What went wrong here; never a value that was sent.'),
    instance: text('`urn:calends:request:` and the id of the request.'),
    code: response(z.enum(errorCodes), 'Stable code.'),
    requestId: text('Id of the request, as in the logs.'),
    errors: response(z.array(fieldError).optional(), 'The faults of the request; on `validation_failed` and its kin.'),
    conflictingAppointmentIds: response(
      z.array(z.string()).optional(),
      'On `slot_conflict`: the appointments in the way, as far as the caller may see them.',
    ),
    reasons: response(
      z.array(timeReasonSchema).optional(),
      'On `slot_conflict` and `limit_reached`: why the time cannot be had, as far as the caller may know.',
    ),
  }),
  { id: 'Problem', description: 'RFC 9457 problem details.' },
);
/** Body of every error answer. */
export type Problem = z.infer<typeof problemSchema>;
