import { clientAddressOf } from '@calends/core/operations';
import type { IncomingMessage } from 'node:http';
import type { HttpRequest, RequestBody } from '../message.js';
import { readStream } from './read-stream.js';
import type { RequestTarget } from './door.js';

/** Why the host's body parser gave up. */
export type ParserRefusal = Extract<RequestBody, { kind: 'refused' }>['reason'];

/** A message of node:http as a neutral request; what the host made of query and body is not looked at twice. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly caller: HttpRequest['caller'];
  readonly #message: IncomingMessage;
  readonly #trustProxy: number;
  readonly #refusal: ParserRefusal | undefined;

  constructor(
    message: IncomingMessage,
    { path, query }: RequestTarget,
    settings: {
      readonly trustProxy: number;
      readonly caller: HttpRequest['caller'];
      readonly refusal: ParserRefusal | undefined;
    },
  ) {
    this.method = message.method ?? '';
    this.path = path;
    this.query = query;
    this.caller = settings.caller;
    this.#message = message;
    this.#trustProxy = settings.trustProxy;
    this.#refusal = settings.refusal;
  }

  get clientAddress(): string | undefined {
    const address = this.#message.socket.remoteAddress;
    return clientAddressOf({ address, forwardedFor: this.header('x-forwarded-for') }, this.#trustProxy);
  }

  header(name: string): string | undefined {
    const { headers } = this.#message;
    // HTTP/2 has a name of its own for it.
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return typeof value === 'object' ? value.join(', ') : value;
  }

  body(): RequestBody {
    const message: IncomingMessage & { readonly body?: unknown } = this.#message;
    const length = this.#length();
    if (length === 0) return { kind: 'none' };
    if (this.#refusal !== undefined) return { kind: 'refused', length, reason: this.#refusal };
    // A parser that does not know the media type leaves the stream unread, and in Express 4 an empty object behind.
    return message.readableDidRead || message.readableEnded
      ? { kind: 'parsed', length, value: message.body }
      : { kind: 'stream', length, read: (limit) => readStream(message, limit) };
  }

  /** Bytes that the client announces; 0 when there is no body, `undefined` when it comes without a length, or perhaps not (HTTP/2). */
  #length(): number | undefined {
    const length = this.header('content-length');
    if (length !== undefined) return Number(length);
    const isAnnounced = this.#message.httpVersionMajor > 1 || this.header('transfer-encoding') !== undefined;
    return isAnnounced ? undefined : 0;
  }
}
