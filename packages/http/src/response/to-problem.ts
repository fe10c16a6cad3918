import { checkOptionNames } from '@calends/core/store';
import { operationById, type OperationId, type Problem } from '@calends/http-contract';
import { randomRequestIds, requestIdOf, takesOnlyPlainJson } from '../request/headers.js';
import { faultOf, problemBody, problemHeaders } from './problem.js';
import { always } from './encode.js';

/** An error as the HTTP services would answer it; the headers have everything but the length. */
export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

/** What is known of the call that failed. */
export interface ProblemContext {
  /** Default: a random one. One that cannot stand in a header is replaced. */
  readonly requestId?: string;
  /** The operation that the call stands for: decides between 400 and 409 where a code has both. Default: the usual status. */
  readonly operation?: OperationId;
  /** The request's `Accept`: a client that takes only plain JSON gets the problem under that type (D36). Default: one that takes problems. */
  readonly accept?: string | undefined;
}

/**
 * Turns what a call of the library rejected with into the answer that the HTTP services give to it (D36, D37).
 *
 * For hosts with routes of their own. What is no error of the library is `internal`, without a word of its text: log it.
 *
 * @example
 * ```ts
 * import { CalendsError } from '@calends/core';
 * import { toProblem } from '@calends/http';
 *
 * const { status, headers, body } = toProblem(new CalendsError('slot_conflict', 'The time is taken.'));
 * console.log(status, headers['Content-Type'], body.code); // 409 application/problem+json slot_conflict
 * ```
 *
 * @throws TypeError for a misspelt name in the context
 */
export function toProblem(error: unknown, context: ProblemContext = {}): ProblemAnswer {
  checkOptionNames('toProblem', context, ['requestId', 'operation', 'accept']);
  const requestId = requestIdOf(context.requestId, randomRequestIds);
  const operation = context.operation === undefined ? undefined : operationById[context.operation];
  const fault = faultOf(error, operation);
  return {
    status: fault.status,
    headers: {
      ...always,
      'Content-Type': takesOnlyPlainJson(context.accept) ? 'application/json' : 'application/problem+json',
      'x-request-id': requestId,
      ...problemHeaders(fault, operation),
    },
    body: problemBody(fault, requestId),
  };
}
