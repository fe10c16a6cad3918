/** What a source was asked for. */
export interface Source {
  readonly chunks: AsyncIterable<string>;
  asked: number;
  stopped: number;
}

/** A source whose chunks come from a function; it tells how often it was asked and stopped. */
export function source(next: (index: number) => Promise<string | undefined>): Source {
  const told: Source = {
    asked: 0,
    stopped: 0,
    chunks: {
      [Symbol.asyncIterator]: () => ({
        async next() {
          const value = await next(told.asked++);
          return value === undefined ? { done: true, value } : { done: false, value };
        },
        return() {
          told.stopped += 1;
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    },
  };
  return told;
}

/** Chunks of 64 KiB without an end. */
export const endless = (): Source => source(() => Promise.resolve('x'.repeat(65_536)));
