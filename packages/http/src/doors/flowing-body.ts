import { setTimeout } from 'node:timers';

/**
 * The chunks of an answer as a stream that takes them no faster than its reader does (D69).
 *
 * When the source fails or nothing moves for `stillness` milliseconds, the stream has an error in the place of an end; when
 * the reader goes away, the source is stopped.
 */
export function flowingBody(chunks: AsyncIterable<string>, stillness: number): ReadableStream<Uint8Array> {
  const source: AsyncIterator<string, unknown> = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout;
  const stop = async (): Promise<void> => {
    clearTimeout(timer);
    await source.return?.();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setTimeout(() => {
          controller.error(new Error('The answer stood still.'));
          // Nobody is left who waits.
          stop().catch(() => undefined);
        }, stillness).unref();
      },
      async pull(controller) {
        try {
          const { done, value } = await source.next();
          timer.refresh();
          if (done !== true) controller.enqueue(encoder.encode(value));
          else {
            clearTimeout(timer);
            controller.close();
          }
        } catch (fault) {
          clearTimeout(timer);
          throw fault;
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
}
