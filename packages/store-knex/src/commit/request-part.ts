import { run, runSingle } from '../sql/steps.js';
import { isOver, requestTable } from '../tables/requests.js';
import { type CommitPart, refusing } from './part.js';

const isOfKey = `from calends_requests where ${requestTable.isKey} and`;

/** The answer of a request under its key, in the place of one that is over. */
export const requestPart: CommitPart = {
  // A rival's that is being written shows when ours is: as a duplicate.
  refusal: refusing('requestLost', function* ({ locking }, { change: { request } }) {
    if (request === undefined) return false;
    const values = [...requestTable.keyValues(request), request.at, request.at];
    return (yield* runSingle(`select 1 as taken ${isOfKey} not ${isOver('', '?')}${locking}`, values)) !== undefined;
  }),

  *write({ prepared }) {
    const { request } = prepared.change;
    if (request === undefined) return;
    yield* run(`delete ${isOfKey} ${isOver('', '?')}`, [...requestTable.keyValues(request), request.at, request.at]);
    yield* run(requestTable.insert, requestTable.values(request));
  },
};
