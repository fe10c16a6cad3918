import type { RequestCompletion } from '@calends/core/store';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { isOver, requestTable } from '../tables/requests.js';

/** Tells whether the key of a request is taken. A rival's that is being written shows when ours is: as a duplicate. */
export function* isTaken(request: RequestCompletion, locking: string): Steps<boolean> {
  const row = yield* runSingle(
    `select 1 as taken from calends_requests where ${requestTable.isKey} and not ${isOver('', '?')}${locking}`,
    [...requestTable.keyValues(request), request.at, request.at],
  );
  return row !== undefined;
}

/** Writes the answer of a request under its key, in the place of one that is over. */
export function* writeRequest(request: RequestCompletion): Steps<void> {
  yield* run(`delete from calends_requests where ${requestTable.isKey} and ${isOver('', '?')}`, [
    ...requestTable.keyValues(request),
    request.at,
    request.at,
  ]);
  yield* run(requestTable.insert, requestTable.values(request));
}
