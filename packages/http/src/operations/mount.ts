import { type OperationRow, operationTable } from '@calends/core/operations';
import type { Operation, OperationId, RoleRule } from '@calends/http-contract';
import { limits, type Role } from '@calends/model';
import type { MalformedCondition } from '../request/headers.js';
import { declares } from '../response/problem.js';
import { appointmentV1Handlers } from './appointments-v1.js';
import { appointmentV2Handlers } from './appointments-v2.js';
import { availabilityHandlers } from './availability.js';
import { customerHandlers } from './customers.js';
import type { AnyHandler, Handlers } from './handler.js';
import { notificationHandlers } from './notifications.js';

/** An operation with its handler and what is known about it before the first request. */
export interface MountedOperation {
  readonly operation: Operation;
  readonly method: Operation['method'];
  readonly path: string;
  readonly handler: AnyHandler;
  /** What the core says of the operation that the route calls. */
  readonly row: OperationRow;
  readonly rules: ReadonlyMap<Role, RoleRule>;
  /** Greatest lengths of the parameters of its path, in order. */
  readonly pathLengths: readonly number[];
  readonly malformedCondition: MalformedCondition;
}

/**
 * Gives each operation its handler.
 *
 * @throws TypeError for an operation without handler, without a row in the core's table, or without roles where it asks for
 *   a bearer token: what has no row is not served (security model)
 */
export function mountOperations(
  operations: readonly Operation[],
  handlers: Partial<Handlers>,
): readonly MountedOperation[] {
  return operations.map((operation) => {
    const handler = handlerOf(handlers, operation.id);
    if (handler === undefined) throw new TypeError(`${operation.id} has no handler.`);
    if (!Object.hasOwn(operationTable, operation.useCase)) throw new TypeError(`${operation.id} has no row.`);
    const asksForToken = operation.authentication !== 'one-time-password' && operation.authentication !== 'none';
    if (asksForToken && operation.roles.length === 0) {
      throw new TypeError(`${operation.id} has no roles.`);
    }
    return {
      operation,
      method: operation.method,
      path: operation.path,
      handler,
      row: operationTable[operation.useCase],
      rules: new Map(operation.roles.map((rule) => [rule.role, rule])),
      pathLengths: operation.pathParameters.map(({ longest = limits.id }) => longest),
      malformedCondition: refusesConditions(operation) ? 'refuse' : 'neverMatches',
    };
  });
}

/**
 * Whether a malformed `If-Match` is 400 (ADR 0014). The document lists none for delete and cancel, where the additive one is
 * about the key and the body; of our own operations DELETE is like them.
 */
function refusesConditions(operation: Operation): boolean {
  if (operation.optional === undefined) return operation.statuses.includes(400);
  return declares(operation, 400) && operation.method !== 'DELETE';
}

/**
 * The one place where the types of the catalogue are given up: the pipeline decodes body and query with the schemas of
 * the same operation whose types the handler was checked against.
 */
function handlerOf(handlers: Partial<Handlers>, id: OperationId): AnyHandler | undefined {
  return Object.hasOwn(handlers, id) ? (handlers[id] as AnyHandler) : undefined;
}

/** A handler for every operation of the catalogue. */
export const handlers: Handlers = {
  ...appointmentV2Handlers,
  ...appointmentV1Handlers,
  ...notificationHandlers,
  ...customerHandlers,
  ...availabilityHandlers,
};
