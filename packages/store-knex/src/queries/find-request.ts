import type { Instant, RequestKey, StoredRequest } from '@calends/core';
import { isOver, requestKey, requestKeyValues } from '../commit/write-request.js';
import { runSingle, type Steps } from '../database/steps.js';
import { optionalText, text } from '../rows/fields.js';

const find = `select fingerprint, answer from calends_requests
  where ${requestKey.map((column) => `${column} = ?`).join(' and ')} and not ${isOver('', '?')}`;

/** What stands under the key of a request. */
export function* findRequest(key: RequestKey, now: Instant): Steps<StoredRequest | undefined> {
  const row = yield* runSingle(find, [...requestKeyValues(key), now, now]);
  return row && { fingerprint: text(row, 'fingerprint'), answer: optionalText(row, 'answer') };
}
