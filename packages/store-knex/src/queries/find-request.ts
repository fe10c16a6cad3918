import type { Instant, RequestKey, StoredRequest } from '@calends/core/store';
import { isOver, requestTable } from '../tables/requests.js';
import { findRow, type Steps } from '../sql/steps.js';
import { optionalText, text } from '../sql/rows.js';

const find = `select fingerprint, answer from calends_requests
  where ${requestTable.isKey} and not ${isOver('', '?')}`;

/** What stands under the key of a request. */
export const findRequest = (key: RequestKey, now: Instant): Steps<StoredRequest | undefined> =>
  findRow(find, [...requestTable.keyValues(key), now, now], (row) => ({
    fingerprint: text(row, 'fingerprint'),
    answer: optionalText(row, 'answer'),
  }));
