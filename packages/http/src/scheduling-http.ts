import type { Scheduling } from '@calends/core';
import { checkScheduling } from '@calends/core/operations';
import { quietly } from '@calends/core/store';
import { operations } from '@calends/http-contract';
import type { HttpRequest, HttpResponse } from './message.js';
import { handlers, type MountedOperation, mountOperations } from './operations/mount.js';
import { checkOptions, type SchedulingHttpOptions } from './options.js';
import { Exchange, problemResponse } from './pipeline/exchange.js';
import { createMatcher, type Match } from './request/matcher.js';
import { requestIdOf } from './request/headers.js';
import { withoutBody } from './response/encode.js';
import { faultOf, problemBody } from './response/problem.js';
import { otherMethod } from './refusal.js';

/** Where a request belongs; made by `match`, taken by `handle`. */
export type RouteMatch = Match<MountedOperation>;

/** The HTTP services, free of any framework. */
export interface SchedulingHttp {
  /** The route of a request, or `undefined` when it is none of this service: it belongs to the host. */
  match(method: string, path: string): RouteMatch | undefined;
  /**
   * Answers a request; `undefined` when it is none of this service.
   *
   * Never rejects: every fault becomes a problem (D36). Pass what `match` gave to spare matching again.
   */
  handle(request: HttpRequest, match?: RouteMatch): Promise<HttpResponse | undefined>;
  /**
   * Tells `onFault` of a request that cannot be answered, since the host has begun an answer of its own. For doors, which close the
   * connection then, and do not have the request carried out.
   */
  tellUnanswerable?(request: HttpRequest): void;
  /** With `authentication: 'host'`: who calls is said by the `caller` of a request alone. Doors refuse to go without one then. */
  readonly needsCaller?: boolean;
}

/**
 * Serves both documents from a {@link Scheduling}: the appointment services v1 and v2 and the notification service.
 *
 * Keeps nothing but verified tokens, and no timer beyond the end of a request; may be called any number of times in one process.
 *
 * @throws TypeError for what is no library, for options that are missing, misspelt or unusable, and for `availability` over a library
 *   that has it off
 */
export function schedulingHttp(scheduling: Scheduling, options: SchedulingHttpOptions): SchedulingHttp {
  checkScheduling(scheduling);
  const { turnedOn, requestIds, onRoute, ...checked } = checkOptions(options);
  if (turnedOn.has('availability') && !scheduling.availability.isOn) {
    throw new TypeError(
      'options.availability: the library has it off; `createScheduling({ availability: {} })` turns it on.',
    );
  }
  const settings = { scheduling, ...checked };
  const served = operations.filter(({ optional }) => optional === undefined || turnedOn.has(optional));
  const match = createMatcher(mountOperations(served, handlers));

  const answer = (request: HttpRequest, route: RouteMatch): Promise<HttpResponse> | HttpResponse => {
    const requestId = requestIdOf(request.header(settings.requestIdHeader), requestIds);
    if (route.kind === 'operation') {
      if (onRoute !== undefined) quietly(() => onRoute(route.operation.path));
      return new Exchange(settings, route.operation, request, requestId).run(route.segments);
    }
    const problem = problemBody(faultOf(otherMethod()), requestId);
    const headers = { [settings.requestIdHeader]: requestId, Allow: route.allow };
    return problemResponse(request, problem.status, problem, headers);
  };

  return {
    match,
    tellUnanswerable(request) {
      const fault = new Error(
        'The host began an answer of its own to a request of the services: by flushHeaders, writeHead or write.',
      );
      const requestId = requestIdOf(request.header(settings.requestIdHeader), requestIds);
      quietly(() => settings.onFault(fault, requestId));
    },
    needsCaller: settings.verifier === undefined,
    async handle(request, route = match(request.method, request.path)) {
      if (route === undefined) return undefined;
      const response = await answer(request, route);
      return request.method === 'HEAD' ? withoutBody(response) : response;
    },
  };
}
