import type { Operation } from '@calends/http-contract';
import type { HttpResponse } from '../message.js';
import { hasCurrent } from '../request/headers.js';

/** Headers of every answer: nothing of it is kept or guessed at by those in between (security model). */
export const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** An answer with a JSON body. */
export function jsonResponse(
  status: number,
  body: string,
  mediaType: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  return {
    status,
    headers: {
      'Content-Type': mediaType,
      'Content-Length': String(Buffer.byteLength(body)),
      ...always,
      ...headers,
    },
    body,
  };
}

/**
 * An answer that is a file with an entity tag: 304 without a body when the client has it already (RFC 9110).
 *
 * It may be kept and must be asked for again; nothing in between may keep it. A file that the client has is not written.
 *
 * @param report as in {@link flowingArray}
 */
export async function fileResponse(
  file: { readonly body: AsyncIterable<string>; readonly etag: string },
  { success }: Pick<Operation, 'success'>,
  clientHas: string | undefined,
  headers: Readonly<Record<string, string>>,
  report: (fault: unknown) => void,
): Promise<HttpResponse> {
  const kept = { ...always, ...headers, 'Cache-Control': 'private, no-cache', ETag: file.etag };
  if (hasCurrent(clientHas, file.etag)) return { status: 304, headers: kept };
  const type = { 'Content-Type': `${success.mediaType ?? 'text/plain'}; charset=utf-8` };
  return { status: success.status, headers: { ...kept, ...type }, body: await begun(file.body, report) };
}

/** An answer without a body: 204, 304. */
export function emptyResponse(status: number, headers: Readonly<Record<string, string>>): HttpResponse {
  return { status, headers: { ...always, ...headers } };
}

/** What HEAD gets: everything but the body; one that flows is stopped. */
export function withoutBody({ status, headers, body }: HttpResponse): HttpResponse {
  if (typeof body === 'object') void body[Symbol.asyncIterator]().return?.();
  return { status, headers };
}

/** A chunk is written once it has so many characters; the first one with the first item. */
const chunkLength = 16_384;

/** Text of a JSON array; its last bracket comes only after its last item. */
async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  let text = '[';
  let separator = '';
  let least = 1;
  for await (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ',';
    if (text.length < least) continue;
    least = chunkLength;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/**
 * An answer with a JSON array that is never in memory as a whole (D69).
 *
 * @param report told of a fault after the first chunk, when the status is out already
 * @returns once there is a first chunk: a fault before it rejects, and can still be answered as a problem
 */
export async function flowingArray(
  status: number,
  items: AsyncIterable<unknown>,
  headers: Readonly<Record<string, string>>,
  report: (fault: unknown) => void,
): Promise<HttpResponse> {
  const body = await begun(jsonArray(items), report);
  return { status, headers: { ...always, ...headers, 'Content-Type': 'application/json' }, body };
}

/** Chunks of which the first is there; faults after it are reported, and end what takes them. */
async function begun(body: AsyncIterable<string>, report: (fault: unknown) => void): Promise<AsyncIterable<string>> {
  const chunks: AsyncIterator<string, unknown> = body[Symbol.asyncIterator]();
  let first: IteratorResult<string, unknown> | undefined = await chunks.next();
  const rest: AsyncIterator<string, unknown, undefined> = {
    async next() {
      const taken = first;
      first = undefined;
      try {
        return taken ?? (await chunks.next());
      } catch (fault) {
        report(fault);
        throw fault;
      }
    },
    return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => rest };
}

/** Maps items one by one, as they come. */
export async function* mapped<Item, Shown>(
  items: AsyncIterable<Item>,
  show: (item: Item) => Shown,
): AsyncGenerator<Shown, void, undefined> {
  for await (const item of items) yield show(item);
}
