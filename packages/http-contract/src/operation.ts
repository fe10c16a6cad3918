import type { ErrorCode } from '@calends/model';
import type * as z from 'zod';
import type { RoleRule } from './roles.js';

/**
 * The greatest sizes of a request body in bytes, by what the operation takes: what is decoded before anything is proved is
 * kept small (D66).
 */
export const bodyLimits = {
  /** Of an operation that takes no body. */
  none: 0,
  /** A name and an application, or the code of a link. */
  proof: 2 * 1024,
  /** A few fields of an appointment that is there already; the longest is a reason of 1,000 characters. */
  fields: 16 * 1024,
  /** An appointment that somebody books who has not proved anything yet. */
  booking: 64 * 1024,
  /** A service or the hours of an actor: a few hundred ids and times at most. */
  rules: 128 * 1024,
  /** A whole appointment, by callers with a token (D8); the host may set another. */
  appointment: 256 * 1024,
} as const;

/**
 * What a request costs and whom it may come from, for a limiter (D66).
 *
 * `unauthenticated`: anybody may send it. `proof`: it proves its caller by a code or a link, and can be guessed at.
 * `read`, `write`: it needs a bearer token.
 */
export type LimiterClass = 'unauthenticated' | 'proof' | 'read' | 'write';

/** The three path families of the documents, what customers and calendars need beside them, and when somebody can come. */
export type OperationFamily = 'v1' | 'v2' | 'notifications' | 'customers' | 'availability';

/** Operations beyond the documents that are mounted only when the host turns them on (D29, D44, D45, D78). */
export const optionalOperations = [
  'countOverlapping',
  'oneTimePasswords',
  'customerSessions',
  'calendarFeeds',
  'webhookEndpoints',
  'availability',
] as const;

/** One of {@link optionalOperations}. */
export type OptionalOperation = (typeof optionalOperations)[number];

/**
 * How a caller proves who it is.
 *
 * `bearer`: a JWT in `Authorization: Bearer`. `one-time-password`: `Authorization: Basic` with a one-time password (D44).
 * `bearer-unless-public`: a JWT, unless the host made counting public (D28). `bearer-or-visitor`: a JWT, or none at all where the
 * host lets visitors ask. `none`: nothing; what proves the caller is a secret in the request itself, or there is nothing to prove.
 */
export type OperationAuthentication =
  | 'bearer'
  | 'one-time-password'
  | 'bearer-unless-public'
  | 'bearer-or-visitor'
  | 'none';

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
export interface OperationOf<Id extends string, UseCase extends string> {
  readonly id: Id;
  /** The operation of the library that it calls; there are two routes to most. */
  readonly useCase: UseCase;
  readonly family: OperationFamily;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path as printed in the document, trailing slash included. */
  readonly path: string;
  readonly tag: 'Appointments v2' | 'Appointments v1' | 'Notifications' | 'Customers' | 'Availability';
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
  /** A member of the body whose malformed value has a code of its own (D22), where nothing else is wrong. */
  readonly ownCode?: { readonly pointer: string; readonly code: ErrorCode; readonly detail: string };
  /** Greatest size of its body in bytes (D66); 0 without a body. */
  readonly bodyLimit: number;
  /** Which limits hold for it before its body is read (D66); what says nothing else is `read` for GET, else `write`. */
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
  /** Whether `If-None-Match` asks for 304 in the place of what the client has. */
  readonly acceptsIfNoneMatch: boolean;
  readonly answersETag: boolean;
  /** Whether `Calends-Hold` brings the token of the hold that it is about. */
  readonly acceptsHoldToken: boolean;
  /** Whether a copy of the data may answer it; then `Calends-Consistency` says what the answer must not lack. */
  readonly acceptsConsistency: boolean;
}

/** What holds for an operation that says nothing else. */
const defaults = {
  deprecated: false,
  authentication: 'bearer',
  pathParameters: [],
  bodyRequired: false,
  bodyLimit: bodyLimits.none,
  acceptsIdempotencyKey: false,
  acceptsIfMatch: false,
  acceptsIfNoneMatch: false,
  answersETag: false,
  acceptsHoldToken: false,
} as const;

/** What only shows, and decides on nothing. */
const shows: ReadonlySet<string | undefined> = new Set([
  ...['list', 'get', 'count', 'countOverlapping'],
  ...['findTimes', 'explainTime', 'readCalendarFeed'],
]);

type AnyOperation = OperationOf<string, string>;

/** What an operation says of itself: its id is its key, and most additive statuses follow from what it takes. */
type Declaration = Partial<Omit<AnyOperation, 'id' | 'additiveStatuses' | 'acceptsConsistency'>> & {
  /** Additive statuses (D38) that do not follow from what it takes. */
  readonly also?: readonly number[];
};

type Merged<Base, Own> = Omit<Base, keyof Own> & Own;

type Declared<Family, Own, Id extends string> = Merged<Merged<typeof defaults, Family>, Omit<Own, 'also'>> &
  Pick<OperationOf<Id, string>, 'id' | 'limiterClass' | 'additiveStatuses' | 'acceptsConsistency'>;

/** The operations of a family, with the literal types of each: what it says itself, else the family, else the defaults. */
export function operationsOf<const Family extends Declaration, const Own extends Readonly<Record<string, Declaration>>>(
  family: Family,
  declarations: Own,
): { readonly [Id in keyof Own & string]: Declared<Family, Own[Id], Id> } {
  const declared = Object.entries<Declaration>(declarations).map(([id, { also = [], ...own }]) => {
    const limiterClass = own.method === 'GET' ? 'read' : 'write';
    const acceptsConsistency = shows.has(own.useCase ?? family.useCase);
    const operation = { ...defaults, limiterClass, acceptsConsistency, ...family, ...own, id };
    return [id, { ...operation, additiveStatuses: additiveStatuses(operation, also) }];
  });
  return Object.fromEntries(declared) as never;
}

/** 429 and 503 can come from every operation: a limiter of the host, a store that cannot be reached. */
function additiveStatuses(operation: Partial<AnyOperation>, also: readonly number[]): readonly number[] {
  const found = new Set([...also, 429, 503]);
  if (operation.body !== undefined) [413, 415].forEach((status) => found.add(status));
  if (operation.acceptsIdempotencyKey === true) [409, 422].forEach((status) => found.add(status));
  if (operation.acceptsIfMatch === true) found.add(412);
  if (operation.acceptsIfNoneMatch === true) found.add(304);
  return [...found].sort((left, right) => left - right);
}
