import { clientAddressOf, inTime } from '@calends/core/operations';
import type { BodyRead, HttpRequest } from '../message.js';
import { maxDiscarded } from './door.js';
import type { RequestTarget } from './door.js';

/** A `Request` of the fetch standard as a neutral one. */
export interface FetchRequest extends HttpRequest {
  /** Throws away what is left of a body that was opened and answered already, so that its sender gets to read the answer. */
  discardRest(): void;
}

/** `address` asks the host for that of the other end of the connection. */
export function fetchRequest(
  request: Request,
  target: RequestTarget,
  {
    trustProxy,
    address,
    caller,
  }: {
    readonly trustProxy: number;
    readonly address: (() => unknown) | undefined;
    readonly caller: HttpRequest['caller'];
  },
): FetchRequest {
  let opened: ReadableStream<Uint8Array> | undefined;
  const header = (name: string): string | undefined =>
    request.headers.get(name) ?? (name === 'host' ? new URL(request.url).host : undefined);
  const clientAddress = (of?: string): string | undefined =>
    clientAddressOf({ address: of, forwardedFor: header('x-forwarded-for') }, trustProxy);
  return {
    ...target,
    method: request.method,
    caller,
    clientAddress:
      address === undefined ? clientAddress() : async () => clientAddress(readAddress(await inTime(address))),
    header,
    body() {
      const { body, bodyUsed } = request;
      // There is no parsed value to take instead, unlike with node:http.
      if (bodyUsed)
        throw new TypeError('The body of the Request was read before: hand in the Request first, or a clone.');
      if (body === null) return { kind: 'none' };
      opened = body;
      // A header says what is announced, and nothing of whether there is a body: a Request has one without it.
      const announced = Number(header('content-length') ?? Number.NaN);
      const length = Number.isSafeInteger(announced) && announced > 0 ? announced : undefined;
      return { kind: 'stream', length, read: (limit) => readBody(body, limit) };
    },
    discardRest() {
      if (opened?.locked === false) discard(opened.getReader()).catch(ignore);
    },
  };
}

/**
 * What the `address` of a host has answered.
 *
 * @throws TypeError for what is none, such as the object that Bun has for one: taken for unknown, it would turn limits off
 */
function readAddress(answer: unknown): string | undefined {
  if (typeof answer === 'string') return answer;
  if ((answer ?? undefined) === undefined) return undefined;
  throw new TypeError('options.address must answer a string, or undefined or null where it knows none.');
}

/** Reads a body; buffers no more than `limit` bytes. The rest of a longer one is left. */
async function readBody(body: ReadableStream<Uint8Array | string>, limit: number): Promise<BodyRead> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      const chunk = bytesOf(value);
      size += chunk.byteLength;
      if (size > limit) {
        reader.releaseLock();
        return 'tooLarge';
      }
      chunks.push(chunk);
    }
  } catch {
    return 'aborted';
  }
}

/** Hangs up on a body that does not end. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array | string>): Promise<void> {
  for (let size = 0; size <= maxDiscarded;) {
    const { done, value } = await reader.read();
    if (done) return;
    size += bytesOf(value).byteLength;
  }
  await reader.cancel();
}

/** A stream that a host made of another may hand out texts, whose length in bytes nobody has told. */
function bytesOf(chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

function ignore(): void {
  // The connection broke: nobody is left who waits.
}
