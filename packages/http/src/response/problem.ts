import { CalendsError, type ErrorCode, type InputIssue } from '@calends/core';
import type { TimeReason } from '@calends/core/operations';
import { type Operation, type Problem, problemOf, problems } from '@calends/http-contract';
import { Limited, Refusal } from '../refusal.js';

type WireIssue = NonNullable<Problem['errors']>[number];

/** What went wrong with a request, before it becomes a body. */
export interface Fault {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly WireIssue[];
  readonly conflictingAppointmentIds: readonly string[];
  readonly reasons: readonly TimeReason[];
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  /** Something that operators should see: no fault of the client. */
  readonly ours: boolean;
}

const unexpected = 'The service met a fault; the request id finds it in its logs.';
const passing = 'The service cannot answer now; the same request may succeed a moment later.';

/** Turns anything thrown into a fault: what is not known is `internal`, without a word of its text (D36). */
export function faultOf(thrown: unknown, operation?: Operation): Fault {
  if (isTemporary(thrown)) return ours('unavailable', passing);
  if (thrown instanceof Refusal) {
    const fault = { ...refused(thrown.code, thrown.message, operation), errors: thrown.errors };
    return thrown instanceof Limited ? { ...fault, retryAfter: thrown.retryAfter } : fault;
  }
  // Another copy of the core may know codes that this one does not.
  const isKnown = CalendsError.is(thrown) && Object.hasOwn(problems, thrown.code);
  if (!isKnown || thrown.code === 'internal') return ours('internal', unexpected);
  return {
    ...refused(thrown.code, thrown.message, operation),
    errors: thrown.issues.map((issue) => placed(issue, operation)),
    conflictingAppointmentIds: thrown.appointmentIds,
    reasons: thrown.reasons,
  };
}

function refused(code: ErrorCode, detail: string, operation: Operation | undefined): Fault {
  const status = statusOf(code, operation);
  const passes = status === 503 || status === 429 || code === 'idempotency_in_progress';
  const waits = passes ? { retryAfter: 1 } : undefined;
  return { status, code, detail, errors: [], conflictingAppointmentIds: [], reasons: [], ours: false, ...waits };
}

function ours(code: 'unavailable' | 'internal', detail: string): Fault {
  return { ...refused(code, detail, undefined), ours: true };
}

function isTemporary(thrown: unknown): boolean {
  if (CalendsError.is(thrown)) return thrown.temporary;
  // By name: two copies of the core may be loaded. Written out: bundles call the class itself something else.
  const isStoreError = thrown instanceof Error && thrown.name === 'StoreError' && 'code' in thrown;
  return isStoreError && ['unavailable', 'contention', 'schema', 'engine'].includes(String(thrown.code));
}

/** The body of an error answer (D36). */
export function problemBody(fault: Fault, requestId: string): Problem {
  const { status, code, detail, errors, conflictingAppointmentIds, reasons } = fault;
  return {
    ...problemOf({ code, status, detail, requestId }),
    ...(errors.length === 0 ? undefined : { errors: distinct(errors) }),
    ...(code === 'slot_conflict' ? { conflictingAppointmentIds: [...conflictingAppointmentIds] } : undefined),
    ...(reasons.length === 0 ? undefined : { reasons: [...reasons] }),
  };
}

/** Each fault once: values of one parameter, and what is within a map, share a place. */
const distinct = (errors: readonly WireIssue[]): WireIssue[] => [
  ...new Map(errors.map((error) => [JSON.stringify(error), error])).values(),
];

/**
 * The status of an error code on an operation, from the catalogue of problems; without an operation, the usual status.
 *
 * Where a code has several, the operation answers with the other one when the document lists it (D16, D18: `invalid_state`
 * is 400 where the document lists 400, 409 on cancel and delete).
 */
export function statusOf(code: ErrorCode, operation?: Operation): number {
  const { status, otherStatuses } = problems[code];
  return otherStatuses.find((other) => operation?.statuses.includes(other)) ?? status;
}

/** Tells whether an operation can answer with a status. */
export function declares(operation: Operation, status: number): boolean {
  return operation.statuses.includes(status) || operation.additiveStatuses.includes(status);
}

/** What an error answer says in its headers. */
export function problemHeaders({ status, retryAfter }: Fault, operation?: Operation): Readonly<Record<string, string>> {
  return {
    ...(status === 401 && { 'WWW-Authenticate': challengeOf(operation) }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  };
}

/** `WWW-Authenticate` of a 401 (RFC 6750, RFC 7617). */
function challengeOf(operation: Operation | undefined): string {
  return operation?.authentication === 'one-time-password'
    ? 'Basic realm="calends", charset="UTF-8"'
    : 'Bearer realm="calends"';
}

/** Names of filters in commands, where they differ from those of the query parameters. */
const parameters: Readonly<Record<string, string>> = {
  agentIds: 'agentId',
  organizerIds: 'organizerId',
  durations: 'duration',
  ranges: 'range',
  states: 'state',
  starts: 'start',
  types: 'type',
  channels: 'channel',
  statuses: 'status',
};

/** v1 has no such field: a client that is told to send it would be told so again. */
const serviceOfV2 = 'Customers name a service here, which only v2 takes.';

const firstCustomer = /^\/customers(?:\/0)?(?=\/|$)/;
const updatedCustomerId = /^\/customer\/id$/;

/** Tells where in the request an issue of a command is: the core speaks of commands, clients of what they sent. */
function placed({ pointer, code, detail }: InputIssue, operation: Operation | undefined): WireIssue {
  const [, name = ''] = pointer.split('/', 2);
  const isParameter = operation?.query !== undefined && operation.body === undefined;
  if (isParameter || inAddress(name, operation)) return { parameter: parameters[name] ?? name, code, detail };
  if (operation?.family === 'v1' && name === 'serviceId') return { pointer: '', code, detail: serviceOfV2 };
  return { pointer: operation?.family === 'v1' ? pointerV1(pointer) : pointer, code, detail };
}

/** Whether a field of a command stands in the path or the query of an operation that has a body as well. */
function inAddress(name: string, operation: Operation | undefined): boolean {
  const inPath = operation?.pathParameters.some((parameter) => parameter.name === name) === true;
  return inPath || Object.hasOwn(operation?.query?.shape ?? {}, name);
}

/** v1 has one `customer` where the core has a list, and `participantId` for its id in updates. */
function pointerV1(pointer: string): string {
  return pointer.replace(firstCustomer, '/customer').replace(updatedCustomerId, '/customer/participantId');
}
