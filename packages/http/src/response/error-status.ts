import type { ErrorCode } from '@calends/core';
import type { Operation } from '@calends/http-contract';

/**
 * The status of every error code, the one table (architecture: The way of one request, 6).
 *
 * Where there are two, the operation answers with the first that the document lists for it, else with the last (D16,
 * D18: `invalid_state` is 400 where the document lists 400, 409 on cancel and delete).
 */
const statuses: Readonly<Record<ErrorCode, readonly [number, ...number[]]>> = {
  validation_failed: [400],
  invalid_schedule: [400],
  invalid_agent: [400],
  invalid_state: [400, 409],
  unauthenticated: [401],
  forbidden: [403],
  not_assigned: [403],
  stale_ticket: [403],
  outside_cancellation_window: [403],
  outside_reschedule_window: [403],
  reschedule_limit: [403],
  not_found: [404],
  slot_conflict: [409],
  version_mismatch: [412],
  idempotency_in_progress: [409],
  idempotency_mismatch: [422],
  retry_not_allowed: [400],
  payload_too_large: [413],
  unsupported_media_type: [415],
  rate_limited: [429],
  unavailable: [503],
  internal: [500],
};

/** The status of an error code on an operation; without one, the usual status. */
export function statusOf(code: ErrorCode, operation?: Operation): number {
  const candidates = statuses[code];
  if (operation === undefined || candidates.length === 1) return candidates[0];
  return candidates.find((status) => operation.statuses.includes(status)) ?? candidates.at(-1) ?? candidates[0];
}

/** Tells whether an operation can answer with a status. */
export function declares(operation: Operation, status: number): boolean {
  return operation.statuses.includes(status) || operation.additiveStatuses.includes(status);
}
