import { clientAddressOf } from '@calends/core/operations';
import type { BodyRead, HttpRequest, RequestBody } from '../message.js';
import { maxDiscarded } from './read-stream.js';
import type { RequestTarget } from './door.js';

/** A `Request` of the fetch standard as a neutral one. */
export class FetchRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly clientAddress: string | undefined;
  readonly caller: HttpRequest['caller'];
  readonly #request: Request;
  /** What {@link body} opened. */
  #opened: ReadableStream<Uint8Array> | undefined;

  constructor(
    request: Request,
    { path, query }: RequestTarget,
    settings: {
      readonly trustProxy: number;
      /** Of the other end of the connection. */
      readonly address: string | undefined;
      readonly caller: HttpRequest['caller'];
    },
  ) {
    this.#request = request;
    this.method = request.method;
    this.path = path;
    this.query = query;
    this.caller = settings.caller;
    const forwardedFor = this.header('x-forwarded-for');
    this.clientAddress = clientAddressOf({ address: settings.address, forwardedFor }, settings.trustProxy);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers.get(name) ?? undefined;
    return value === undefined && name === 'host' ? new URL(this.#request.url).host : value;
  }

  body(): RequestBody {
    const { body, bodyUsed } = this.#request;
    // There is no parsed value to take instead, unlike with node:http.
    if (bodyUsed)
      throw new TypeError('The body of the Request was read before: hand in the Request first, or a clone.');
    if (body === null) return { kind: 'none' };
    this.#opened = body;
    // A header says what is announced, and nothing of whether there is a body: a Request has one without it.
    const announced = Number(this.header('content-length') ?? Number.NaN);
    return {
      kind: 'stream',
      length: Number.isSafeInteger(announced) && announced > 0 ? announced : undefined,
      read: (limit) => readBody(body, limit),
    };
  }
  /** Throws away what is left of a body that was opened and answered already, so that its sender gets to read the answer. */
  discardRest(): void {
    if (this.#opened?.locked === false) discard(this.#opened.getReader()).catch(ignore);
  }
}

/** Reads a body; buffers no more than `limit` bytes. The rest of a longer one is left. */
async function readBody(body: ReadableStream<Uint8Array>, limit: number): Promise<BodyRead> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > limit) {
        reader.releaseLock();
        return 'tooLarge';
      }
      chunks.push(value);
    }
  } catch {
    return 'aborted';
  }
}

/** Hangs up on a body that does not end. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let size = 0; size <= maxDiscarded;) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.byteLength;
  }
  await reader.cancel();
}

function ignore(): void {
  // The connection broke: nobody is left who waits.
}
