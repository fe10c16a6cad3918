import type { ErrorCode } from '@calends/model';
import type { Problem } from './schemas/problem.js';

/** One problem code: the status it is answered with, and what it means (D37). */
export interface ProblemDefinition {
  /** The status it usually has. */
  readonly status: number;
  /** Other statuses that it can have, where the document asks for them. */
  readonly otherStatuses: readonly number[];
  readonly title: string;
  readonly description: string;
}

function problem(status: number, title: string, description: string, otherStatuses: readonly number[] = []) {
  return { status, otherStatuses, title, description } satisfies ProblemDefinition;
}

/** The closed catalogue of problem codes (D37, D38, D75); the page of the codes is generated from it. */
export const problems = {
  validation_failed: problem(
    400,
    'The request is not valid',
    'The body or the query breaks a rule. `errors` has one entry for each fault, with its place and a stable code.',
  ),
  invalid_schedule: problem(
    400,
    'The schedule is not valid',
    'Start, duration and time zone do not make a schedule that the appointment can have: a start in the past, a duration ' +
      'out of bounds or not one of the service, or an appointment that can no longer be moved.',
  ),
  invalid_agent: problem(
    400,
    'The agent id is not valid',
    'The id is malformed, or belongs to someone who is not an agent.',
  ),
  invalid_state: problem(
    409,
    'The state does not allow this',
    'The appointment is in a state from which this cannot be done, or a service or hours come from settings and cannot be ' +
      'changed. 400 on update, activate and reassign, 409 elsewhere.',
    [400],
  ),
  unauthenticated: problem(
    401,
    'Authentication is missing or not valid',
    'Send a valid bearer token; for customer-create, a user name with a current one-time password.',
  ),
  forbidden: problem(
    403,
    'This is not permitted',
    'The caller’s role, application or organization does not permit it, or the interaction is already in progress.',
  ),
  not_assigned: problem(
    403,
    'The caller is not assigned to this appointment',
    'Agents see and change only appointments that they organize or are assigned to, as long as the application says so.',
  ),
  stale_ticket: problem(
    403,
    'The manage link is not valid',
    'The manage ticket is unknown, replaced, revoked or expired, or its signed context does not fit. Ask for a new link.',
  ),
  outside_cancellation_window: problem(
    403,
    'It is too late to cancel',
    'Customers may cancel this application’s appointments only until some time before the start.',
  ),
  outside_reschedule_window: problem(
    403,
    'It is too late to reschedule',
    'Customers may reschedule this application’s appointments only until some time before the start.',
  ),
  reschedule_limit: problem(
    403,
    'The appointment cannot be rescheduled again',
    'Customers may reschedule an appointment of this application only so many times.',
  ),
  not_found: problem(
    404,
    'Not found',
    'There is no such appointment, agent, notification, service or hold in the caller’s organization, or no appointment ' +
      'matches the list.',
  ),
  slot_conflict: problem(
    409,
    'The time is taken',
    'Another appointment of the agent or the customer overlaps, or the service has no such time. ' +
      '`conflictingAppointmentIds` lists those that the caller may see, `reasons` says why the time cannot be had.',
  ),
  hold_lost: problem(
    409,
    'The hold does not hold any more',
    'It ended, was used or given up, or was made for another start, duration, service or agent. Nothing was booked: look for ' +
      'a free time again.',
  ),
  limit_reached: problem(
    409,
    'A limit of bookings is reached',
    'The agent or the service takes no more appointments on that day or in that week, and without that limit the time could be had; ' +
      '`reasons` says whose limit it is. Other days may be free.',
  ),
  version_mismatch: problem(
    412,
    'The record has changed',
    'None of the versions in If-Match is the current one. Read the record again and decide anew.',
  ),
  idempotency_in_progress: problem(
    409,
    'The first request with this key is still running',
    'Wait a moment and send the same request with the same Idempotency-Key again.',
  ),
  idempotency_mismatch: problem(
    422,
    'The key belongs to another request',
    'The Idempotency-Key was used within the last 24 hours for a request that differs. Use a new key.',
  ),
  retry_not_allowed: problem(
    400,
    'The notification cannot be retried',
    'It was delivered or cancelled, is being sent, is not wanted any more, or was retried too often.',
  ),
  payload_too_large: problem(
    413,
    'The body is too large',
    'A request body has at most 256 KiB, and less where the operation takes less.',
  ),
  unsupported_media_type: problem(
    415,
    'The media type is not supported',
    'Bodies are `application/json` in UTF-8, without a content coding.',
  ),
  rate_limited: problem(
    429,
    'Too many requests',
    'Wait until the time in Retry-After has passed. Of holds: so many are alive already; give one up, or let it end.',
  ),
  unavailable: problem(
    503,
    'The service cannot answer now',
    'The database or a provider does not answer, or took too long. Send the same request again after `Retry-After`; ' +
      'whether it was done is not known, so a request that writes needs its Idempotency-Key.',
  ),
  internal: problem(500, 'Something went wrong', 'A fault of the service; `requestId` finds it in the logs.'),
} as const satisfies Readonly<Record<ErrorCode, ProblemDefinition>>;

/** The `type` of a problem body (D36). */
export function problemType(code: ErrorCode): string {
  return `urn:calends:problem:${code}`;
}

/** What every problem body says (D36). The path could carry what a client sent; the request id names the occurrence as well. */
export function problemOf({
  code,
  status,
  detail,
  requestId,
}: Pick<Problem, 'status' | 'detail' | 'requestId'> & { readonly code: ErrorCode }) {
  const instance = `urn:calends:request:${requestId}`;
  return { type: problemType(code), title: problems[code].title, status, detail, instance, code, requestId };
}
