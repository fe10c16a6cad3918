import type { ErrorCode } from '@calends/core';
import { type Operation, problems } from '@calends/http-contract';

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
