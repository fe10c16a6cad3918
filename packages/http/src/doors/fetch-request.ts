import { clientAddressOf, inTime } from '@calends/core/operations';
import { dropRejectionsIn } from '@calends/core/store';
import type { BodyRead, HttpRequest } from '../message.js';
import { Allowance, bytesOf, maxDiscarded } from './door.js';
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
      // A host's own object, given for a Request, may lack it.
      const { signal }: Partial<Pick<Request, 'signal'>> = request;
      // There is no parsed value to take instead, unlike with node:http.
      if (bodyUsed)
        throw new TypeError('The body of the Request was read before: hand in the Request first, or a clone.');
      if (body === null) return { kind: 'none' };
      opened = body;
      // A header says what is announced, and nothing of whether there is a body: a Request has one without it.
      const announced = Number(header('content-length') ?? Number.NaN);
      const length = Number.isSafeInteger(announced) && announced > 0 ? announced : undefined;
      return { kind: 'stream', length, read: (limit) => readBody(body, limit, signal) };
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
  dropRejectionsIn(answer);
  throw new TypeError('options.address must answer a string, or undefined or null where it knows none.');
}

/**
 * Reads a body; buffers no more than `limit` bytes. The rest of a longer one is left; one that has no bytes is given up, and so is
 * what is left of it when `signal` says that nobody waits any more: the stream of a Request that was aborted may stand still for ever.
 */
async function readBody(
  body: ReadableStream<unknown>,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<BodyRead> {
  const chunks: Uint8Array[] = [];
  const allowance = new Allowance(limit);
  let giveUp = ignore;
  try {
    const reader = body.getReader();
    giveUp = () => void reader.cancel().catch(ignore);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    for (;;) {
      const { done, value } = await reader.read();
      // To who reads, what was given up looks like an end.
      if (signal?.aborted === true) return 'aborted';
      if (done) return Buffer.concat(chunks);
      const chunk = bytesOf(value);
      if (chunk === undefined) {
        reader.cancel().catch(ignore);
        return 'aborted';
      }
      if (!allowance.takes(chunk)) {
        reader.releaseLock();
        return 'tooLarge';
      }
      chunks.push(chunk);
    }
  } catch {
    return 'aborted';
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}

/** Hangs up on a body that does not end. */
async function discard(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const allowance = new Allowance(maxDiscarded);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const chunk = bytesOf(value);
    if (chunk === undefined || !allowance.takes(chunk)) break;
  }
  await reader.cancel();
}

function ignore(): void {
  // The connection broke: nobody is left who waits.
}
