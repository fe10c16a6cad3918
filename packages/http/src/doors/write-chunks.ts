import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** So long may an answer stand still while it flows: its source, or the client who does not read. Milliseconds. */
export const maxStillness = 30_000;

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
