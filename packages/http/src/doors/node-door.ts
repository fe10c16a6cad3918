import { CalendsError } from '@calends/core';
import { clientAddressOf } from '@calends/core/operations';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BodyRead, HttpRequest, HttpResponse, ParserRefusal, RequestBody } from '../message.js';
import { toProblem } from '../response/to-problem.js';
import type { RouteMatch, SchedulingHttp } from '../scheduling-http.js';
import {
  Allowance,
  below,
  bytesOf,
  checkCaller,
  checkDoorOptions,
  checkServices,
  type DoorOptions,
  maxDiscarded,
  maxStillness,
  type RequestTarget,
  requestTarget,
} from './door.js';

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
 * @throws TypeError for options that are misspelt or unusable, for what is no services, and for a `caller` that is missing where the
 *   authentication is `host`
 */
export function nodeDoor<Message extends IncomingMessage = IncomingMessage>(
  services: SchedulingHttp,
  options: NodeDoorOptions<Message> = {},
): NodeDoor<Message> {
  checkServices(services);
  const { basePath, trustProxy } = checkDoorOptions(options);
  checkCaller(services, options);
  const { caller } = options;
  return (message, response, refusal) => {
    const { path, query } = requestTarget(message.url ?? '');
    const own = below(basePath, path);
    const match = own === undefined ? undefined : services.match(message.method ?? '', own);
    if (own === undefined || match === undefined) return false;
    const settings = { trustProxy, refusal, caller: caller === undefined ? undefined : () => caller(message) };
    void answer(services, new NodeRequest(message, { path: own, query }, settings), match, message, response);
    return true;
  };
}

/**
 * Serves the services over `node:http`: `createServer(nodeHandler(services))`.
 *
 * What is none of theirs goes to `next`, which Express, Connect, Fastify and Nest hand in; without it, it is answered with 404.
 * Works before and after body parsers that leave what they read in `body`.
 *
 * @throws TypeError for options that are misspelt or unusable, for what is no services, and for a `caller` that is missing where the
 *   authentication is `host`
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
    // What cannot be answered is not carried out.
    const answered = response.headersSent ? undefined : await services.handle(request, match);
    if (isBegun(response)) {
      services.tellUnanswerable?.(request);
      // As Express does: an answer without its end is the one thing that the client cannot take for an answer of the services.
      response.destroy();
    }
    const written = answered === undefined ? undefined : write(response, answered);
    discardRest(message);
    await written;
  } catch {
    // Only writing can fail here: on a response that the host or the client has ended, or because its source failed.
    response.destroy();
  }
}

/** Whether the host has begun an answer of its own, and left its end to others. */
const isBegun = (response: ServerResponse): boolean =>
  response.headersSent && !response.writableEnded && !response.destroyed;

/** Settles once an answer that flows has ended; one that is there as a whole is on its way at once. */
function write(response: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> | undefined {
  if (!response.headersSent && !response.destroyed) {
    response.removeHeader('X-Powered-By');
    response.writeHead(status, headers);
    if (typeof body === 'object') return writeChunks(response, body);
    response.end(body, encodingOf(body, headers));
  } else if (typeof body === 'object') void body[Symbol.asyncIterator]().return?.();
  return undefined;
}

/** As many bytes as characters are ASCII: written as Latin-1 they take a third of the memory that UTF-8 takes, and less time. */
const encodingOf = (body: string | undefined, { 'Content-Length': bytes }: HttpResponse['headers']) =>
  bytes !== undefined && body?.length === Number(bytes) ? 'latin1' : 'utf8';

function answerNothing(message: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    if (isBegun(response)) response.destroy();
    return;
  }
  const { accept } = message.headers;
  const nothing = new CalendsError('not_found', 'There is nothing under this address.');
  const { status, headers, body } = toProblem(nothing, { accept });
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
  const flow = Readable.from({ [Symbol.asyncIterator]: () => moving });
  try {
    await pipeline(flow, response, { signal: stopped.signal });
  } catch (fault) {
    // Newer versions of Node tell of the connection that this has closed.
    throw stopped.signal.aborted ? stopped.signal.reason : fault;
  } finally {
    clearTimeout(timer);
    // Node 24 leaves it alone where the answer was over before.
    flow.destroy();
  }
}

interface RequestSettings {
  readonly trustProxy: number;
  readonly caller: HttpRequest['caller'];
  readonly refusal: ParserRefusal | undefined;
}

/** Of several of these Node keeps the first: what stood before it may have read another. */
const keptOnce: ReadonlySet<string> = new Set(['authorization', 'content-type']);

/**
 * All fields of a name where a message has several, as a `Request` joins them: then they are no credentials and no media type.
 * A message that a host made itself may have no raw headers.
 */
function severalOf(
  { rawHeaders = [] }: Partial<Pick<IncomingMessage, 'rawHeaders'>>,
  name: string,
): string | undefined {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values.length > 1 ? values.join(', ') : undefined;
}

/** A message of node:http as a neutral request; what the host made of query and body is not looked at twice. */
class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: HttpRequest['caller'];
  readonly bodyRefusal: ParserRefusal | undefined;
  readonly #message: IncomingMessage;
  readonly #trustProxy: number;

  constructor(message: IncomingMessage, { path, query }: RequestTarget, settings: RequestSettings) {
    this.method = message.method ?? '';
    this.path = path;
    this.query = query;
    this.caller = settings.caller;
    this.#message = message;
    this.#trustProxy = settings.trustProxy;
    this.bodyRefusal = settings.refusal;
  }

  get clientAddress(): string | undefined {
    const address = this.#message.socket.remoteAddress;
    return clientAddressOf({ address, forwardedFor: this.header('x-forwarded-for') }, this.#trustProxy);
  }

  header(name: string): string | undefined {
    const { headers } = this.#message;
    // HTTP/2 has a name of its own for it.
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    const joined = typeof value === 'object' ? value.join(', ') : value;
    return keptOnce.has(name) ? (severalOf(this.#message, name) ?? joined) : joined;
  }

  body(): RequestBody {
    return bodyOf(this.#message, this.bodyRefusal);
  }
}

function bodyOf(
  message: IncomingMessage & { readonly body?: unknown },
  refusal: ParserRefusal | undefined,
): RequestBody {
  const length = lengthOf(message);
  // Parsers refuse an empty body too, for its charset or its coding.
  if (refusal !== undefined) return { kind: 'refused', length, reason: refusal };
  if (length === 0) return { kind: 'none' };
  // A parser that does not know the media type leaves the stream unread, and in Express 4 an empty object behind.
  return message.readableDidRead || message.readableEnded
    ? { kind: 'parsed', length, value: message.body }
    : { kind: 'stream', length, read: (limit) => readStream(message, limit) };
}

/** Bytes that the client announces; 0 when there is no body, `undefined` when it comes without a length, or perhaps not (HTTP/2). */
function lengthOf({ headers, httpVersionMajor }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return httpVersionMajor > 1 || headers['transfer-encoding'] !== undefined ? undefined : 0;
}

/**
 * Reads the raw body of a message; buffers no more than `limit` bytes.
 *
 * `tooLarge` leaves the rest on the wire, for {@link discardRest}; `aborted` when the client went away, or the host
 * hands out what is no bytes. How long a slow
 * client may take is for the host's server to say (`requestTimeout`).
 */
function readStream(message: IncomingMessage, limit: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    const allowance = new Allowance(limit);
    const settle = (result: BodyRead): void => {
      message.off('data', take).off('end', end).off('close', abort).off('error', abort);
      resolve(result);
    };
    const take = (given: unknown): void => {
      // A host that set an encoding gets texts.
      const chunk = bytesOf(given, message.readableEncoding ?? 'utf8');
      if (chunk !== undefined && allowance.takes(chunk)) {
        chunks.push(chunk);
        return;
      }
      message.pause();
      settle(chunk === undefined ? 'aborted' : 'tooLarge');
    };
    const end = (): void => settle(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    const abort = (): void => settle('aborted');
    if (message.destroyed) {
      resolve('aborted');
      return;
    }
    message.on('data', take).on('end', end).on('close', abort).on('error', abort);
  });
}

/** Throws away what is left of an upload that was answered already, and hangs up on one that does not end. */
function discardRest(message: IncomingMessage): void {
  if (message.complete || message.destroyed) return;
  const allowance = new Allowance(maxDiscarded);
  message.on('error', ignore).on('data', (given: unknown) => {
    const chunk = bytesOf(given);
    if (chunk === undefined || !allowance.takes(chunk)) message.destroy();
  });
  message.resume();
}

function ignore(): void {
  // The connection broke: nobody is left who waits.
}
