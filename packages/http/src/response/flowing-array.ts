import type { HttpResponse } from '../message.js';
import { always } from './encode.js';

/** A chunk is written once it has so many characters. */
const chunkLength = 16_384;

/** Text of a JSON array; its last bracket comes only after its last item. */
async function* jsonArray(items: AsyncIterable<unknown>): AsyncGenerator<string, void, undefined> {
  let text = '[';
  let separator = '';
  for await (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ',';
    if (text.length < chunkLength) continue;
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
  const chunks = jsonArray(items);
  let first: IteratorResult<string, void> | undefined = await chunks.next();
  const rest: AsyncIterator<string, void, undefined> = {
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
    return: () => chunks.return(),
  };
  const body = { [Symbol.asyncIterator]: () => rest };
  return { status, headers: { ...always, ...headers, 'Content-Type': 'application/json' }, body };
}

/** Maps items one by one, as they come. */
export async function* mapped<Item, Shown>(
  items: AsyncIterable<Item>,
  show: (item: Item) => Shown,
): AsyncGenerator<Shown, void, undefined> {
  for await (const item of items) yield show(item);
}
