import { CalendsError } from '@calends/core';
import type { HttpRequest } from '../message.js';

/**
 * How long a request may take until its answer begins. What the client takes to send its body does not count: that is
 * for the limits of the server that reads it.
 */
export class Deadline {
  #abort: AbortController | undefined;
  #isOver = false;
  #fail: (reason: unknown) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #left: number;

  /** Begins now; in milliseconds. */
  constructor(limit: number) {
    this.#left = limit;
    this.#go();
  }

  /**
   * Aborted when the time has passed: what has not begun its commit by then never does. Made for who
   * asks: requests that only read, which are most, never do.
   */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#isOver) this.#abort.abort();
    return this.#abort.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * What the work answers in time.
   *
   * @throws CalendsError `unavailable` when it takes longer; it goes on then, and nobody hears of it
   */
  bound<Answer>(work: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      const ended =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(this.#timer);
          settle(value);
        };
      work.then(ended(resolve), ended(reject));
    });
  }

  /** The request as it is read under this deadline. */
  pausedByBody(request: HttpRequest): HttpRequest {
    return {
      method: request.method,
      path: request.path,
      query: request.query,
      header: (name) => request.header(name),
      body: () => {
        const body = request.body();
        return body.kind === 'stream' ? { ...body, read: (limit) => this.#pausedFor(body.read(limit)) } : body;
      },
    };
  }

  async #pausedFor<Value>(reading: Promise<Value>): Promise<Value> {
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
    try {
      return await reading;
    } finally {
      this.#go();
    }
  }

  #go(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#isOver = true;
        this.#abort?.abort();
        this.#fail(new CalendsError('unavailable', 'The request took too long.'));
      },
      Math.max(this.#left, 0),
    );
  }
}
