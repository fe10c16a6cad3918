import { clientAddressOf } from '@calends/core/operations';
import type { IncomingMessage } from 'node:http';
import type { BodyRead, HttpRequest, RequestBody } from '../message.js';
import { maxDiscarded, type RequestTarget } from './door.js';

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

/**
 * Reads the raw body of a message; buffers no more than `limit` bytes.
 *
 * `tooLarge` leaves the rest on the wire, for {@link discardRest}; `aborted` when the client went away. How long a slow
 * client may take is for the host's server to say (`requestTimeout`).
 */
function readStream(message: IncomingMessage, limit: number): Promise<BodyRead> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: BodyRead): void => {
      message.off('data', take).off('end', end).off('close', abort).off('error', abort);
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      message.pause();
      settle('tooLarge');
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
export function discardRest(message: IncomingMessage): void {
  if (message.complete || message.destroyed) return;
  let size = 0;
  message.on('error', ignore).on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxDiscarded) message.destroy();
  });
  message.resume();
}

function ignore(): void {
  // The connection broke: nobody is left who waits.
}
