import { clientAddressOf } from '@calends/core/operations';
import type { IncomingMessage } from 'node:http';
import type { HttpRequest, RequestBody } from '../message.js';
import { readStream } from './read-stream.js';
import type { RequestTarget } from './door.js';

/** Why the host's body parser gave up. */
export type ParserRefusal = Extract<RequestBody, { kind: 'refused' }>['reason'];

/** A message of node:http as a neutral request; what the host made of query and body is not looked at twice. */
export function nodeRequest(
  message: IncomingMessage,
  target: RequestTarget,
  {
    trustProxy,
    caller,
    refusal,
  }: {
    readonly trustProxy: number;
    readonly caller: HttpRequest['caller'];
    readonly refusal: ParserRefusal | undefined;
  },
): HttpRequest {
  const header = (name: string): string | undefined => {
    const { headers } = message;
    // HTTP/2 has a name of its own for it.
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return typeof value === 'object' ? value.join(', ') : value;
  };
  return {
    ...target,
    method: message.method ?? '',
    caller,
    get clientAddress() {
      const address = message.socket.remoteAddress;
      return clientAddressOf({ address, forwardedFor: header('x-forwarded-for') }, trustProxy);
    },
    header,
    body: () => bodyOf(message, refusal),
  };
}

function bodyOf(
  message: IncomingMessage & { readonly body?: unknown },
  refusal: ParserRefusal | undefined,
): RequestBody {
  const length = lengthOf(message);
  if (length === 0) return { kind: 'none' };
  if (refusal !== undefined) return { kind: 'refused', length, reason: refusal };
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
