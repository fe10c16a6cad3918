import type * as z from 'zod';
import { bodyLimits } from './limits.js';
import type { RoleRule } from './roles.js';

/** Names of the operations that v1 and v2 share; v1 adds `V1` to them. */
export type AppointmentOperationId =
  | 'listAppointments'
  | 'createAppointment'
  | 'updateAppointment'
  | 'activateAppointment'
  | 'createAppointmentAsCustomer'
  | 'reassignAppointment'
  | 'rescheduleAppointment'
  | 'deleteAppointment'
  | 'getAppointment'
  | 'countAppointments'
  | 'listEligibleAppointments';

/** Names of all operations; also the `operationId` of the OpenAPI document. */
export type OperationId =
  | AppointmentOperationId
  | `${AppointmentOperationId}V1`
  | 'cancelAppointment'
  | 'countOverlappingAppointments'
  | 'listNotifications'
  | 'listNotificationEvents'
  | 'getPollProperties'
  | 'listWebhookTypes'
  | 'retryNotification'
  | 'listWebhookEndpoints'
  | 'getWebhookEndpoint'
  | 'enableWebhookEndpoint'
  | 'disableWebhookEndpoint'
  | 'testWebhookEndpoint'
  | 'replayWebhookEndpoint'
  | 'requestOneTimePassword'
  | 'beginCustomerSession'
  | 'getCalendarFeed';

/** Names of the operations of the library that the routes call; each has its row in the table of `@calends/core`. */
export type UseCaseName =
  | 'schedule'
  | 'scheduleAsCustomer'
  | 'get'
  | 'list'
  | 'listEligible'
  | 'count'
  | 'countOverlapping'
  | 'update'
  | 'activate'
  | 'reschedule'
  | 'reassign'
  | 'cancel'
  | 'softDelete'
  | 'remove'
  | 'requestOtp'
  | 'exchangeManageLink'
  | 'readCalendarFeed'
  | 'listNotifications'
  | 'listDeliveryEvents'
  | 'pollProperties'
  | 'webhookTypes'
  | 'retryNotification'
  | 'listEndpoints'
  | 'getEndpoint'
  | 'enableEndpoint'
  | 'disableEndpoint'
  | 'testEndpoint'
  | 'replayEndpoint';

/**
 * What a request costs and whom it may come from, for a limiter (D66).
 *
 * `unauthenticated`: anybody may send it. `proof`: it proves its caller by a code or a link, and can be guessed at.
 * `read`, `write`: it needs a bearer token.
 */
export type LimiterClass = 'unauthenticated' | 'proof' | 'read' | 'write';

/** The three path families of the documents, and what customers and calendars need beside them. */
export type OperationFamily = 'v1' | 'v2' | 'notifications' | 'customers';

/** Operations beyond the documents that are mounted only when the host turns them on (D29, D44, D45, D78). */
export const optionalOperations = [
  'countOverlapping',
  'oneTimePasswords',
  'customerSessions',
  'calendarFeeds',
  'webhookEndpoints',
] as const;

/** One of {@link optionalOperations}. */
export type OptionalOperation = (typeof optionalOperations)[number];

/**
 * How a caller proves who it is.
 *
 * `bearer`: a JWT in `Authorization: Bearer`. `one-time-password`: `Authorization: Basic` with a one-time password (D44).
 * `bearer-unless-public`: a JWT, unless the host made counting public (D28). `none`: nothing; what proves the caller is a
 * secret in the request itself, or there is nothing to prove.
 */
export type OperationAuthentication = 'bearer' | 'one-time-password' | 'bearer-unless-public' | 'none';

/** A parameter inside the path; always a required string. */
export interface PathParameter {
  readonly name: string;
  readonly description: string;
  /** Greatest length; default that of an id. */
  readonly longest?: number;
}

/**
 * One HTTP operation, declared once: routes, checks, OpenAPI, the client and the role tests all read it from here.
 */
export interface Operation {
  readonly id: OperationId;
  /** What it calls; there are two routes to most. */
  readonly useCase: UseCaseName;
  readonly family: OperationFamily;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path as printed in the document, trailing slash included. */
  readonly path: string;
  readonly tag: 'Appointments v2' | 'Appointments v1' | 'Notifications' | 'Customers';
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Set on an operation that the documents do not count; the option that mounts it (D29). */
  readonly optional?: OptionalOperation;
  readonly authentication: OperationAuthentication;
  /** Empty where no token is asked for, and so no role. */
  readonly roles: readonly RoleRule[];
  readonly pathParameters: readonly PathParameter[];
  /** Takes all decoded values of each name: `Record<string, string[]>`. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly bodyRequired: boolean;
  /** Greatest size of its body in bytes (D66); 0 without a body. */
  readonly bodyLimit: number;
  /** Which limits hold for it before its body is read (D66). */
  readonly limiterClass: LimiterClass;
  readonly success: {
    readonly status: 200 | 204;
    readonly schema?: z.ZodType;
    /** Of an answer that is no JSON. */
    readonly mediaType?: 'text/calendar';
  };
  /** The statuses that the document lists for this operation, success included. */
  readonly statuses: readonly number[];
  /** Further statuses, only for what the documents do not cover (D38). */
  readonly additiveStatuses: readonly number[];
  readonly acceptsIdempotencyKey: boolean;
  readonly acceptsIfMatch: boolean;
  readonly answersETag: boolean;
}

/** What holds for an operation that says nothing else. */
export const operationDefaults = {
  deprecated: false,
  authentication: 'bearer',
  pathParameters: [],
  bodyRequired: false,
  bodyLimit: bodyLimits.none,
  acceptsIdempotencyKey: false,
  acceptsIfMatch: false,
  answersETag: false,
} as const;

/** Keeps the literal types of one operation while checking it against {@link Operation}. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/**
 * The additive statuses (D38) that follow from what an operation takes.
 *
 * 429 and 503 can come from every operation: a limiter of the host, a store that cannot be reached.
 */
export function additiveStatuses(source: {
  readonly body?: boolean;
  readonly idempotencyKey?: boolean;
  readonly ifMatch?: boolean;
  readonly also?: readonly number[];
}): readonly number[] {
  const found = new Set([...(source.also ?? []), 429, 503]);
  if (source.body === true) [413, 415].forEach((status) => found.add(status));
  if (source.idempotencyKey === true) [409, 422].forEach((status) => found.add(status));
  if (source.ifMatch === true) found.add(412);
  return [...found].sort((left, right) => left - right);
}
