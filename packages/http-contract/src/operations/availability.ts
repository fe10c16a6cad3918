import { limits } from '@calends/model';
import { bodyLimits, operationsOf } from '../operation.js';
import {
  availabilityQuerySchema,
  exceptionsQuerySchema,
  explainQuerySchema,
  releaseHoldQuerySchema,
  servicesQuerySchema,
} from '../schemas/availability-queries.js';
import {
  exceptionRulesSchema,
  holdRequestSchema,
  hoursRulesSchema,
  serviceRulesSchema,
} from '../schemas/availability-requests.js';
import {
  explanationSchema,
  heldTimeSchema,
  hoursExceptionSchema,
  hoursExceptionsSchema,
  hoursOfActorSchema,
  hoursOfActorsSchema,
  offersSchema,
  serviceResponseSchema,
  servicesSchema,
} from '../schemas/availability-responses.js';
import { staff, supervisors } from '../roles.js';

/*
 * When somebody can come, beyond the documents: find, hold, and say why not; services and hours for supervisors. Mounted
 * only when the host turns it on, and 404 as long as the library has none of it.
 */

const family = {
  family: 'availability',
  tag: 'Availability',
  optional: 'availability',
  statuses: [200, 400, 401, 403, 404, 500],
} as const;

const removed = {
  method: 'DELETE',
  success: { status: 204 },
  statuses: [204, 401, 403, 404, 500],
  also: [400],
} as const;

/** What customers with a manage link use as well, and everybody where the host says so. */
const forCustomers = {
  authentication: 'bearer-or-visitor',
  roles: [...staff, { role: 'ROLE_CUSTOMER', when: 'manageLink' }],
} as const;

const changing = {
  roles: supervisors,
  statuses: [200, 401, 403, 404, 500],
  // 409: invalid_state, for what comes from settings, and idempotency_in_progress.
  also: [400, 409],
  acceptsIdempotencyKey: true,
  acceptsIfMatch: true,
} as const;
const saving = {
  ...changing,
  method: 'PUT',
  bodyRequired: true,
  bodyLimit: bodyLimits.rules,
  answersETag: true,
} as const;

const actorId = { name: 'actorId', description: 'Id of the agent or resource.', longest: limits.agentId } as const;
const services = {
  path: '/api/v2/services/{id}',
  pathParameters: [{ name: 'id', description: 'Id of the service.' }],
  query: servicesQuerySchema,
} as const;
const hours = { path: '/api/v2/hours/{actorId}', pathParameters: [actorId] } as const;
const exceptions = {
  path: '/api/v2/hours/{actorId}/exceptions/{date}',
  pathParameters: [actorId, { name: 'date', description: '`YYYY-MM-DD` in the zone of the hours.' }],
} as const;

/** Operations about free times, services and hours, by id. */
export const availabilityOperations = operationsOf(family, {
  findTimes: {
    ...forCustomers,
    useCase: 'findTimes',
    method: 'GET',
    path: '/api/v2/availability',
    summary: 'Find free times',
    description:
      'Starts of a service that can be booked now, by duration, ascending. Who is free then is told to staff. Customers with a ' +
      'manage link ask for their own appointment, its service and duration, and at most 31 days.',
    query: availabilityQuerySchema,
    success: { status: 200, schema: offersSchema },
  },
  explainTime: {
    ...forCustomers,
    useCase: 'explainTime',
    method: 'GET',
    path: '/api/v2/availability/explain',
    summary: 'Say why a time is free or not',
    description:
      'Whether one start and duration can be booked, and every reason why not. It says free exactly when the search for free ' +
      'times offers it.',
    query: explainQuerySchema,
    success: { status: 200, schema: explanationSchema },
  },
  holdTime: {
    ...forCustomers,
    useCase: 'holdTime',
    method: 'POST',
    path: '/api/v2/holds',
    summary: 'Hold a time',
    description:
      'Keeps a time for who is about to book it; the actors are chosen now. It ends by itself at `until`. 409 with `reasons` ' +
      'where the time is not free, 429 for too many holds at once.',
    body: holdRequestSchema,
    bodyRequired: true,
    bodyLimit: bodyLimits.fields,
    success: { status: 200, schema: heldTimeSchema },
    acceptsIdempotencyKey: true,
    // slot_conflict, limit_reached.
    also: [409],
  },
  releaseHold: {
    ...forCustomers,
    ...removed,
    useCase: 'releaseHold',
    path: '/api/v2/holds/{id}',
    summary: 'Give a hold up',
    description:
      'The time is free again. `Calends-Hold` brings the token of the hold; supervisors need none. 404 for a wrong token too.',
    pathParameters: [{ name: 'id', description: 'Id of the hold.' }],
    query: releaseHoldQuerySchema,
    acceptsHoldToken: true,
  },
  listServices: {
    useCase: 'listServices',
    method: 'GET',
    path: '/api/v2/services',
    summary: 'List services',
    description: 'All services of an application by id, archived ones too.',
    roles: staff,
    query: servicesQuerySchema,
    success: { status: 200, schema: servicesSchema },
  },
  getService: {
    ...services,
    useCase: 'getService',
    method: 'GET',
    summary: 'Get a service',
    description: 'One service of an application.',
    roles: staff,
    success: { status: 200, schema: serviceResponseSchema },
    acceptsIfNoneMatch: true,
    answersETag: true,
  },
  saveService: {
    ...services,
    ...saving,
    useCase: 'saveService',
    summary: 'Save a service',
    description:
      'Makes or replaces a service; an archived one is offered again. Appointments keep what held when they were booked; a move ' +
      'is bound by the new rules.',
    body: serviceRulesSchema,
    success: { status: 200, schema: serviceResponseSchema },
  },
  archiveService: {
    ...services,
    ...changing,
    ...removed,
    useCase: 'archiveService',
    summary: 'Archive a service',
    description:
      'The service is not offered any more. Its appointments stay, and may be moved by the rules that it had.',
  },
  listHours: {
    useCase: 'listHours',
    method: 'GET',
    path: '/api/v2/hours',
    summary: 'List hours',
    description: 'Hours of all agents and resources of the organization that have some, by id.',
    roles: staff,
    success: { status: 200, schema: hoursOfActorsSchema },
  },
  getHours: {
    ...hours,
    useCase: 'getHours',
    method: 'GET',
    summary: 'Get the hours of an actor',
    description: 'When an agent or a resource works in a usual week.',
    roles: staff,
    success: { status: 200, schema: hoursOfActorSchema },
    answersETag: true,
  },
  saveHours: {
    ...hours,
    ...saving,
    useCase: 'saveHours',
    summary: 'Save the hours of an actor',
    description: 'Makes or replaces them. Appointments that are booked stay.',
    body: hoursRulesSchema,
    success: { status: 200, schema: hoursOfActorSchema },
  },
  removeHours: {
    ...hours,
    ...changing,
    ...removed,
    useCase: 'removeHours',
    summary: 'Remove the hours of an actor',
    description: 'An agent without hours is never free, a resource without hours always.',
  },
  listExceptions: {
    useCase: 'listExceptions',
    method: 'GET',
    path: '/api/v2/hours/{actorId}/exceptions',
    summary: 'List exceptions of an actor',
    description: 'Days on which other hours hold, by date.',
    roles: staff,
    pathParameters: [actorId],
    query: exceptionsQuerySchema,
    success: { status: 200, schema: hoursExceptionsSchema },
  },
  saveException: {
    ...exceptions,
    ...saving,
    useCase: 'saveException',
    summary: 'Save an exception',
    description: 'Says when an actor works on one day, in the place of the weekly rules; with no shift it is closed.',
    body: exceptionRulesSchema,
    success: { status: 200, schema: hoursExceptionSchema },
  },
  removeException: {
    ...exceptions,
    ...changing,
    ...removed,
    useCase: 'removeException',
    summary: 'Remove an exception',
    description: 'The weekly rules hold on that day again.',
  },
});
