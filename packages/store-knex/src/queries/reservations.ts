import type { RequestKey, RequestReservation, ReservationResult } from '@calends/core';
import type { Row } from '../database/driver.js';
import { places, type SqlValue } from '../database/sql.js';
import { run, runSingle, type Steps } from '../database/steps.js';
import { integer, optionalText, text } from '../rows/fields.js';

/** Columns by which a request is known. */
export const requestKeyColumns = ['organization_id', 'caller_id', 'operation', 'request_key'] as const;

/** Columns of a reservation, in the order of {@link reservationValues}. */
export const reservationColumns = [...requestKeyColumns, 'fingerprint', 'token', 'lease_until', 'expires_at'] as const;

export const requestKeyValues = (request: RequestKey): readonly string[] => [
  request.organizationId,
  request.callerId,
  request.operation,
  request.key,
];

export const reservationValues = (reservation: RequestReservation): readonly SqlValue[] => [
  ...requestKeyValues(reservation),
  reservation.fingerprint,
  reservation.token,
  reservation.leaseUntil,
  reservation.expiresAt,
];

/** What a reservation that stands in the way means for another. */
export function obstacle(row: Row, { fingerprint }: RequestReservation): ReservationResult {
  if (text(row, 'fingerprint') !== fingerprint) return { status: 'mismatch' };
  const answer = optionalText(row, 'answer');
  return answer === undefined ? { status: 'inProgress' } : { status: 'completed', answer };
}

const keyIs = requestKeyColumns.map((column) => `${column} = ?`).join(' and ');

/** Tells whether a row counts as absent: its answer has expired, or its lease has lapsed without an answer. */
const isOver = (row: Row, now: number): boolean =>
  integer(row, 'expires_at') <= now || (row['answer'] === null && integer(row, 'lease_until') <= now);

/**
 * Reserves within a transaction; `locking` keeps the row as it was read. A rival's insert of the same request
 * shows as a duplicate key.
 */
export function* reserveStepwise(reservation: RequestReservation, locking: string): Steps<ReservationResult> {
  const key = requestKeyValues(reservation);
  const row = yield* runSingle(
    `select fingerprint, answer, lease_until, expires_at from calends_requests where ${keyIs}${locking}`,
    key,
  );
  if (row === undefined) {
    yield* run(
      `insert into calends_requests (${reservationColumns.join(', ')}) values (${places(reservationColumns.length)})`,
      reservationValues(reservation),
    );
    return { status: 'reserved' };
  }
  if (!isOver(row, reservation.now)) return obstacle(row, reservation);
  yield* run(
    `update calends_requests set fingerprint = ?, token = ?, lease_until = ?, expires_at = ?, answer = null
     where ${keyIs}`,
    [reservation.fingerprint, reservation.token, reservation.leaseUntil, reservation.expiresAt, ...key],
  );
  return { status: 'reserved' };
}
