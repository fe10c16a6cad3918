import type { Operation, OperationId } from './operation.js';
import { appointmentV1Operations } from './operations/appointments-v1.js';
import { appointmentV2Operations } from './operations/appointments-v2.js';
import { customerOperations } from './operations/customers.js';
import { notificationOperations } from './operations/notifications.js';

/**
 * Every operation by its id, with the exact types of its schemas.
 *
 * Routes, checks, the OpenAPI document, the client and the role tests all come from here (architecture, rule 4).
 */
export const operationById = {
  ...appointmentV2Operations,
  ...appointmentV1Operations,
  ...notificationOperations,
  ...customerOperations,
} as const satisfies { readonly [Id in OperationId]: Operation & { readonly id: Id } };

/** Every operation, in the order of the documents; those with `optional` are mounted only when the host turns them on. */
export const operations: readonly Operation[] = Object.values(operationById);

/** The 28 operations of the documents: 12 of v2, 11 of v1, 5 of notifications. */
export const documentedOperations: readonly Operation[] = operations.filter(
  (operation) => operation.optional === undefined,
);
