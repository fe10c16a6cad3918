import { clientAddressOf } from '@calends/core';
import type { HttpRequest, RequestBody } from '@calends/http';
import type { Request } from 'express';
import { readStream } from './read-stream.js';

/** Why the host's body parser gave up. */
export type ParserRefusal = Extract<RequestBody, { kind: 'refused' }>['reason'];

/** A message of Express as a neutral request; what Express or the host made of query and body is not looked at twice. */
export class ExpressRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #message: Request;
  readonly #refusal: ParserRefusal | undefined;
  readonly #trustProxy: number;

  constructor(message: Request, trustProxy: number, refusal?: ParserRefusal) {
    const { url } = message;
    const mark = url.indexOf('?');
    this.method = message.method;
    this.path = mark === -1 ? url : url.slice(0, mark);
    this.query = mark === -1 ? '' : url.slice(mark + 1);
    this.#message = message;
    this.#refusal = refusal;
    this.#trustProxy = trustProxy;
  }

  get clientAddress(): string | undefined {
    const address = this.#message.socket.remoteAddress;
    return clientAddressOf({ address, forwardedFor: this.header('x-forwarded-for') }, this.#trustProxy);
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  body(): RequestBody {
    const message = this.#message;
    if (this.#refusal !== undefined) return { kind: 'refused', reason: this.#refusal };
    // A parser that does not know the media type leaves the stream unread, and in Express 4 an empty object behind.
    return message.readableDidRead || message.readableEnded
      ? { kind: 'parsed', value: message.body as unknown }
      : { kind: 'stream', read: (limit) => readStream(message, limit) };
  }
}
