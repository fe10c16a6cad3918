import { CalendsError } from '@calends/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpRequest, HttpResponse } from '../message.js';
import { toProblem } from '../response/to-problem.js';
import type { RouteMatch, SchedulingHttp } from '../scheduling-http.js';
import { below, checkDoorOptions, type DoorOptions, maxStillness, requestTarget } from './door.js';
import { discardRest, nodeRequest, type ParserRefusal } from './node-request.js';

/** How {@link nodeHandler} lets requests in. */
export type NodeDoorOptions<Message extends IncomingMessage = IncomingMessage> = DoorOptions<[message: Message]>;

/**
 * Takes a message that is for the services, and answers it; false for one that is the host's, which is left untouched.
 *
 * @param refusal why a body parser of the host gave up on the body before
 */
export type NodeDoor<Message extends IncomingMessage = IncomingMessage> = (
  message: Message,
  response: ServerResponse,
  refusal?: ParserRefusal,
) => boolean;

/** A request listener of node:http, and a middleware of everything that calls them with `next`. */
export type NodeHandler<Message extends IncomingMessage = IncomingMessage> = (
  message: Message,
  response: ServerResponse,
  next?: () => void,
) => void;

/**
 * The services behind `node:http`, for adapters to frameworks over it; hosts take {@link nodeHandler}.
 *
 * Never throws, never rejects: whatever the request line is.
 *
 * @throws TypeError for options that are misspelt or unusable
 */
export function nodeDoor<Message extends IncomingMessage = IncomingMessage>(
  services: SchedulingHttp,
  options: NodeDoorOptions<Message> = {},
): NodeDoor<Message> {
  const { basePath, trustProxy } = checkDoorOptions(options);
  const { caller } = options;
  return (message, response, refusal) => {
    const { path, query } = requestTarget(message.url ?? '');
    const own = below(basePath, path);
    const match = own === undefined ? undefined : services.match(message.method ?? '', own);
    if (own === undefined || match === undefined) return false;
    const settings = { trustProxy, refusal, caller: caller === undefined ? undefined : () => caller(message) };
    void answer(services, nodeRequest(message, { path: own, query }, settings), match, message, response);
    return true;
  };
}

/**
 * Serves the services over `node:http`: `createServer(nodeHandler(services))`.
 *
 * What is none of theirs goes to `next`, which Express, Connect, Fastify and Nest hand in; without it, it is answered with 404.
 * Works before and after body parsers that leave what they read in `body`.
 *
 * @throws TypeError for options that are misspelt or unusable
 */
export function nodeHandler<Message extends IncomingMessage = IncomingMessage>(
  services: SchedulingHttp,
  options: NodeDoorOptions<Message> = {},
): NodeHandler<Message> {
  const takes = nodeDoor(services, options);
  return (message, response, next) => {
    if (takes(message, response)) return;
    if (next === undefined) answerNothing(message, response);
    else next();
  };
}

async function answer(
  services: SchedulingHttp,
  request: HttpRequest,
  match: RouteMatch,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answered = await services.handle(request, match);
    const written = answered === undefined ? undefined : write(response, answered);
    discardRest(message);
    await written;
  } catch {
    // Only writing can fail here: on a response that the host or the client has ended, or because its source failed.
    response.destroy();
  }
}

/** Settles once an answer that flows has ended; one that is there as a whole is on its way at once. */
function write(response: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> | undefined {
  if (!response.headersSent && !response.destroyed) {
    response.removeHeader('X-Powered-By');
    response.writeHead(status, headers);
    if (typeof body === 'object') return writeChunks(response, body);
    response.end(body);
  } else if (typeof body === 'object') void body[Symbol.asyncIterator]().return?.();
  return undefined;
}

function answerNothing(message: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = toProblem(new CalendsError('not_found', 'There is nothing under this address.'));
  response.writeHead(status, headers).end(JSON.stringify(body));
  discardRest(message);
}

/**
 * Writes chunks no faster than the client reads them, and ends the message after the last one.
 *
 * Stops the source when the client goes away. When the source fails or the answer stands still, the connection is
 * destroyed: without its end the client cannot take a part for the whole (D69).
 *
 * @throws what ended it early
 */
export async function writeChunks(
  response: ServerResponse,
  chunks: AsyncIterable<string>,
  stillness = maxStillness,
): Promise<void> {
  const stopped = new AbortController();
  const timer = setTimeout(() => stopped.abort(), stillness);
  const source = chunks[Symbol.asyncIterator]();
  const moving: AsyncIterator<string> = {
    next: async () => {
      const taken = await source.next();
      timer.refresh();
      return taken;
    },
    return: async () => (await source.return?.()) ?? { done: true, value: undefined },
  };
  try {
    await pipeline(Readable.from({ [Symbol.asyncIterator]: () => moving }), response, { signal: stopped.signal });
  } finally {
    clearTimeout(timer);
  }
}
