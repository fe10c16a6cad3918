import type { OperationOf } from './operation.js';
import { appointmentV1Operations } from './operations/appointments-v1.js';
import { appointmentV2Operations } from './operations/appointments-v2.js';
import { availabilityOperations } from './operations/availability.js';
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
  ...availabilityOperations,
} as const;

/** Names of all operations; also the `operationId` of the OpenAPI document. */
export type OperationId = keyof typeof operationById;

type WithoutV1<Id> = Id extends `${infer Name}V1` ? Name : never;

/** Names of the operations that v1 and v2 share; v1 adds `V1` to them. */
export type AppointmentOperationId = WithoutV1<keyof typeof appointmentV1Operations>;

/** Names of the operations of the library that the routes call; each has its row in the table of `@calends/core`. */
export type UseCaseName = (typeof operationById)[OperationId]['useCase'];

/** One operation of the catalogue. */
export type Operation = OperationOf<OperationId, UseCaseName>;

/** Every operation, in the order of the documents; those with `optional` are mounted only when the host turns them on. */
export const operations: readonly Operation[] = Object.values(operationById);

/** The 28 operations of the documents: 12 of v2, 11 of v1, 5 of notifications. */
export const documentedOperations: readonly Operation[] = operations.filter(
  (operation) => operation.optional === undefined,
);
