import type { HttpResponse } from '../message.js';
import type { SchedulingHttp } from '../scheduling-http.js';
import { checkDoorOptions, type DoorOptions } from './door-options.js';
import { FetchRequest } from './fetch-request.js';
import { flowingBody } from './flowing-body.js';
import { below, requestTarget } from './request-target.js';
import { maxStillness } from './write-chunks.js';

/** How {@link fetchHandler} lets requests in; `Handed` is what the host hands in behind the `Request`. */
export interface FetchDoorOptions<Handed extends readonly unknown[] = []> extends DoorOptions<
  [request: Request, ...handed: Handed]
> {
  /**
   * Address of the other end of the connection, which a `Request` does not tell; must not throw. Default: unknown, so that limits by
   * address are not asked unless `trustProxy` says where it stands.
   */
  readonly address?: (request: Request, ...handed: Handed) => string | undefined;
}

/** `Request → Response`, and `undefined` for what is none of the services: it is the host's. */
export type FetchHandler<Handed extends readonly unknown[] = []> = (
  request: Request,
  ...handed: Handed
) => Promise<Response | undefined>;

/**
 * Serves the services to everything that speaks `Request` and `Response` of the fetch standard: Hono, route handlers of Next, Bun,
 * Deno.
 *
 * What a host hands in behind the `Request`, a context or the server, goes on to `caller` and `address`. Runs where the modules of
 * Node are.
 *
 * @throws TypeError for options that are misspelt or unusable
 */
export function fetchHandler<Handed extends readonly unknown[] = []>(
  services: SchedulingHttp,
  options: FetchDoorOptions<Handed> = {},
): FetchHandler<Handed> {
  const { basePath, trustProxy } = checkDoorOptions(options, 'address');
  const { address, caller } = options;
  return async (request, ...handed) => {
    const { path, query } = requestTarget(request.url);
    const own = below(basePath, path);
    const match = own === undefined ? undefined : services.match(request.method, own);
    if (own === undefined || match === undefined) return undefined;
    const neutral = new FetchRequest(
      request,
      { path: own, query },
      {
        trustProxy,
        address: address?.(request, ...handed),
        caller: caller === undefined ? undefined : () => caller(request, ...handed),
      },
    );
    const answer = await services.handle(neutral, match);
    neutral.discardRest();
    return answer === undefined ? undefined : responseOf(answer);
  };
}

function responseOf({ status, headers, body }: HttpResponse): Response {
  const shown = typeof body === 'object' ? flowingBody(body, maxStillness) : (body ?? null);
  return new Response(shown, { status, headers });
}
