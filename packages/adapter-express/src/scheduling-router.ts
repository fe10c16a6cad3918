import type { Scheduling } from '@calends/core';
import { checkOptionNames } from '@calends/core/store';
import {
  nodeDoor,
  type NodeDoorOptions,
  schedulingHttp,
  schedulingHttpOptionNames,
  type SchedulingHttpOptions,
} from '@calends/http';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { parserRefusal } from './parser-refusal.js';

/** Middleware for `app.use`: one for requests, and one for bodies that a parser of the host refused before. */
export type SchedulingRouter = [RequestHandler, ErrorRequestHandler];

/** What `schedulingRouter` takes; `trust proxy` of Express does not count, `trustProxy` does. */
export interface SchedulingRouterOptions
  extends SchedulingHttpOptions, Pick<NodeDoorOptions<Request>, 'caller' | 'trustProxy'> {}

/**
 * Serves the appointment and notification services in an Express 5 or 4.21 application:
 * `app.use(schedulingRouter(scheduling, { authentication: { secret } }))`.
 *
 * Works under any mount path, before or after the host's body parsers, with any `query parser`, `case sensitive routing`
 * and `trust proxy` setting. Every answer under its paths is its own, errors are `application/problem+json`; unknown
 * paths and OPTIONS go on to the host. Never calls `next` with a fault of its own, never leaves a rejection unhandled.
 *
 * @throws TypeError for options that are missing, misspelt or unusable, for what is no library, and for a `caller` that is missing
 *   where the authentication is `host`
 */
export function schedulingRouter(scheduling: Scheduling, options: SchedulingRouterOptions): SchedulingRouter {
  // What is missing is told by the services.
  const given = Object(options) as SchedulingRouterOptions;
  checkOptionNames('options', given, [...schedulingHttpOptionNames, 'caller', 'trustProxy']);
  const { caller, trustProxy } = given;
  // Options may be inherited, or getters of a class, which a spread would leave out.
  const named = schedulingHttpOptionNames.map((name) => [name, Reflect.get(given, name) as unknown]);
  const served = Object.fromEntries(named) as unknown as SchedulingHttpOptions;
  const takes = nodeDoor<Request>(schedulingHttp(scheduling, served), { caller, trustProxy });
  return [
    (message, response, next) => {
      if (!takes(message, response)) next();
    },
    // Express tells this kind by its four parameters.
    (fault: unknown, message, response, next) => {
      const refusal = parserRefusal(fault);
      if (refusal === undefined || !takes(message, response, refusal)) next(fault);
    },
  ];
}
