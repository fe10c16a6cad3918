import type { Scheduling } from '@calends/core';
import { type HttpResponse, type RouteMatch, schedulingHttp, type SchedulingHttp } from '@calends/http';
import type { SchedulingHttpOptions } from '@calends/http';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ExpressRequest, type ParserRefusal } from './express-request.js';
import { parserRefusal } from './parser-refusal.js';
import { discardRest } from './read-stream.js';
import { writeChunks } from './write-chunks.js';

/** Middleware for `app.use`: one for requests, and one for bodies that a parser of the host refused before. */
export type SchedulingRouter = [RequestHandler, ErrorRequestHandler];

/** What `schedulingRouter` takes. */
export interface SchedulingRouterOptions extends SchedulingHttpOptions {
  /**
   * How many proxies of your own stand in front: the client's address is so many from the right of `X-Forwarded-For` (D66).
   * 0 = none, the address of the connection counts. Whatever `trust proxy` of Express says. Default 0.
   */
  readonly trustProxy?: number;
}

/**
 * Serves the appointment and notification services in an Express 5 or 4.21 application:
 * `app.use(schedulingRouter(scheduling, { authentication: { secret } }))`.
 *
 * Works under any mount path, before or after the host's body parsers, with any `query parser`, `case sensitive routing`
 * and `trust proxy` setting. Every answer under its paths is its own, errors are `application/problem+json`; unknown
 * paths and OPTIONS go on to the host. Never calls `next` with a fault of its own, never leaves a rejection unhandled.
 *
 * @throws TypeError for options that are missing, misspelt or unusable
 */
export function schedulingRouter(
  scheduling: Scheduling,
  { trustProxy = 0, ...options }: SchedulingRouterOptions,
): SchedulingRouter {
  if (!Number.isInteger(trustProxy) || trustProxy < 0)
    throw new TypeError('options.trustProxy: must be 0 or a whole number above.');
  const http = schedulingHttp(scheduling, options);

  const take = (message: Request, response: Response, refusal?: ParserRefusal): boolean => {
    const request = new ExpressRequest(message, trustProxy, refusal);
    const match = http.match(request.method, request.path);
    if (match === undefined) return false;
    void answer(http, request, match, message, response);
    return true;
  };

  return [
    (message, response, next) => {
      if (!take(message, response)) next();
    },
    // Express tells this kind by its four parameters.
    (fault: unknown, message, response, next) => {
      const refusal = parserRefusal(fault);
      if (refusal === undefined || !take(message, response, refusal)) next(fault);
    },
  ];
}

async function answer(
  http: SchedulingHttp,
  request: ExpressRequest,
  match: RouteMatch,
  message: Request,
  response: Response,
): Promise<void> {
  try {
    const answered = await http.handle(request, match);
    const written = answered === undefined ? undefined : write(response, answered);
    discardRest(message);
    await written;
  } catch {
    // Only writing can fail here: on a response that the host or the client has ended, or because its source failed.
    response.destroy();
  }
}

/** Settles once an answer that flows has ended; one that is there as a whole is on its way at once. */
function write(response: Response, { status, headers, body }: HttpResponse): Promise<void> | undefined {
  if (!response.headersSent && !response.destroyed) {
    response.removeHeader('X-Powered-By');
    response.writeHead(status, headers);
    if (typeof body === 'object') return writeChunks(response, body);
    response.end(body);
  } else if (typeof body === 'object') void body[Symbol.asyncIterator]().return?.();
  return undefined;
}
