import { setTimeout } from 'node:timers';
import type { HttpResponse } from '../message.js';
import type { SchedulingHttp } from '../scheduling-http.js';
import {
  below,
  checkCaller,
  checkDoorOptions,
  checkServices,
  type DoorOptions,
  maxStillness,
  requestTarget,
} from './door.js';
import { fetchRequest } from './fetch-request.js';

/** How {@link fetchHandler} lets requests in; `Handed` is what the host hands in behind the `Request`. */
export interface FetchDoorOptions<Handed extends readonly unknown[] = []> extends DoorOptions<
  [request: Request, ...handed: Handed]
> {
  /**
   * Address of the other end of the connection, which a `Request` does not tell; `undefined` or `null` where it is not known. Asked
   * within the time of the request (503 after it). What it throws, or any other answer, is a fault of the service (500), told to
   * `onFault`: taken for unknown, it would turn limits off. Default: unknown, so that limits by address are not asked unless
   * `trustProxy` says where it stands.
   */
  readonly address?: (
    request: Request,
    ...handed: Handed
  ) => Promise<string | null | undefined> | string | null | undefined;
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
 * @throws TypeError for options that are misspelt or unusable, for what is no services, and for a `caller` that is missing where the
 *   authentication is `host`
 */
export function fetchHandler<Handed extends readonly unknown[] = []>(
  services: SchedulingHttp,
  options: FetchDoorOptions<Handed> = {},
): FetchHandler<Handed> {
  checkServices(services);
  const { basePath, trustProxy } = checkDoorOptions(options, 'address');
  checkCaller(services, options);
  const { address, caller } = options;
  return async (request, ...handed) => {
    const { path, query } = requestTarget(request.url);
    const own = below(basePath, path);
    const match = own === undefined ? undefined : services.match(request.method, own);
    if (own === undefined || match === undefined) return undefined;
    const neutral = fetchRequest(
      request,
      { path: own, query },
      {
        trustProxy,
        address: address === undefined ? undefined : () => address(request, ...handed),
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

/**
 * The chunks of an answer as a stream that takes them no faster than its reader does (D69).
 *
 * When the source fails or nothing moves for `stillness` milliseconds, the stream has an error in the place of an end; when
 * the reader goes away, the source is stopped.
 */
export function flowingBody(chunks: AsyncIterable<string>, stillness: number): ReadableStream<Uint8Array> {
  const source: AsyncIterator<string, unknown> = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout;
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    await source.return?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setTimeout(() => {
          controller.error(new Error('The answer stood still.'));
          // Nobody is left who waits.
          stop().catch(() => undefined);
        }, stillness).unref();
      },
      async pull(controller) {
        try {
          const { done, value } = await source.next();
          timer.refresh();
          if (done !== true) controller.enqueue(encoder.encode(value));
          else {
            clearTimeout(timer);
            controller.close();
          }
        } catch (fault) {
          clearTimeout(timer);
          throw fault;
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}
