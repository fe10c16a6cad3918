import type { RequestCompletion, RequestKey } from '@calends/core/store';
import { columnsOf, tableOf } from './table.js';

const key = columnsOf<RequestKey>();
const is = columnsOf<RequestCompletion>();

/**
 * Answers of requests. Programs of before version 0.2 reserved a key with a `token` and a lease before the effect, and
 * have no `answer` until then; theirs count for as long as the lease.
 */
export const requestTable = tableOf<RequestCompletion>('calends_requests')(
  {
    organization_id: key.text('organizationId'),
    caller_id: key.text('callerId'),
    operation: key.text('operation'),
    request_key: key.text('key'),
  },
  {
    fingerprint: is.text('fingerprint'),
    token: is.written('text', () => ''),
    lease_until: is.integer('at'),
    expires_at: is.integer('expiresAt'),
    answer: is.text('answer'),
  },
);

/** Tells of a row by its columns whether it counts as absent at a time, which is bound twice. */
export const isOver = (row: string, now: string): string =>
  `(${row}expires_at <= ${now} or (${row}answer is null and ${row}lease_until <= ${now}))`;
