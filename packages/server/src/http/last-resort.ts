import { CalendsError, type ErrorCode } from '@calends/core';
import { toProblem } from '@calends/http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { faultFields } from '../log/fault-fields.js';
import type { Log } from '../log/log.js';

/** Answers what no route took, with a problem like every other (D36). */
export const nothingThere: RequestHandler = (_request, response) => {
  refuse(response, 'not_found', 'There is nothing under this address; /openapi.json shows what there is.');
};

/** Answers faults of the server's own pages as the services answer theirs; Express would answer HTML with a stack. */
export function lastResort(log: Log): ErrorRequestHandler {
  // Express tells this kind by its four parameters.
  return (fault: unknown, request, response, _next) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const status = statusOf(fault);
    if (status === 412) {
      refuse(response, 'version_mismatch', 'There is another version of this page by now.');
      return;
    }
    if (status >= 400 && status < 500) {
      nothingThere(request, response, _next);
      return;
    }
    log.error({ requestId: response.getHeader('x-request-id'), fault: faultFields(fault) }, 'request failed');
    answer(response, fault);
  };
}

/**
 * The word that readers of requests have for their faults: the file server for paths that it cannot decode (400), and for a page
 * that is not as a condition has it (412), the reader of bodies for one that it cannot read; 0 without any.
 */
export function statusOf(fault: unknown): number {
  if (typeof fault !== 'object' || fault === null || !('status' in fault)) return 0;
  return typeof fault.status === 'number' ? fault.status : 0;
}

/** Answers one of the server's own pages with a problem. */
export function refuse(response: Response, code: ErrorCode, detail: string): void {
  answer(response, new CalendsError(code, detail));
}

function answer(response: Response, fault: unknown): void {
  const { accept } = response.req.headers;
  const { status, headers, body } = toProblem(fault, { requestId: String(response.getHeader('x-request-id')), accept });
  response.status(status).set(headers).end(JSON.stringify(body));
}
