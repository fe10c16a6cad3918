import type { RequestCompletion, RequestKey } from '@calends/core';
import { places, type SqlValue } from '../database/sql.js';
import { run, runSingle, type Steps } from '../database/steps.js';
import { type Fields, fieldNames } from '../rows/fields.js';

/** Columns by which a request is known. */
export const requestKey = ['organization_id', 'caller_id', 'operation', 'request_key'] as const;

/**
 * What is written of a request. Programs of before version 0.2 reserved a key with a `token` and a lease before the effect, and
 * have no `answer` until then; theirs count for as long as the lease.
 */
export const requestFields = {
  organization_id: 'text',
  caller_id: 'text',
  operation: 'text',
  request_key: 'text',
  fingerprint: 'text',
  token: 'text',
  lease_until: 'integer',
  expires_at: 'integer',
  answer: 'text',
} as const satisfies Fields;

const requestIs = requestKey.map((column) => `${column} = ?`).join(' and ');

/** The values of {@link requestKey}, in their order. */
export const requestKeyValues = (request: RequestKey): readonly string[] => [
  request.organizationId,
  request.callerId,
  request.operation,
  request.key,
];

/** The values of a request in the order of {@link requestFields}. */
export const requestValues = (request: RequestCompletion): readonly SqlValue[] => [
  ...requestKeyValues(request),
  request.fingerprint,
  '',
  request.at,
  request.expiresAt,
  request.answer,
];

/** Tells of a row by its columns whether it counts as absent at a time, which is bound twice. */
export const isOver = (row: string, now: string): string =>
  `(${row}expires_at <= ${now} or (${row}answer is null and ${row}lease_until <= ${now}))`;

/** Tells whether the key of a request is taken. A rival's that is being written shows when ours is: as a duplicate. */
export function* isTaken(request: RequestCompletion, locking: string): Steps<boolean> {
  const row = yield* runSingle(
    `select 1 as taken from calends_requests where ${requestIs} and not ${isOver('', '?')}${locking}`,
    [...requestKeyValues(request), request.at, request.at],
  );
  return row !== undefined;
}

/** Writes the answer of a request under its key, in the place of one that is over. */
export function* writeRequest(request: RequestCompletion): Steps<void> {
  yield* run(`delete from calends_requests where ${requestIs} and ${isOver('', '?')}`, [
    ...requestKeyValues(request),
    request.at,
    request.at,
  ]);
  const names = fieldNames(requestFields);
  yield* run(
    `insert into calends_requests (${names.join(', ')}) values (${places(names.length)})`,
    requestValues(request),
  );
}
