import { setImmediate as nextTurn } from 'node:timers/promises';

/** First parts that are made at the same time; with more of them each would come later. */
const maxFirst = 4;
/** First parts that may go before a further one that waits. */
const maxPassing = 20;

/**
 * Lets the long answers of a process take turns, so that many of them are slower and nobody else waits for them.
 *
 * Each task begins in a turn of the event loop of its own. First parts of answers are small and go before all others, some at a
 * time; further parts go one after the other, while no first part is waited for.
 */
export class Turns {
  readonly #first: (() => void)[] = [];
  readonly #further: (() => void)[] = [];
  #firstUnderWay = 0;
  #furtherUnderWay = 0;
  /** First parts that began since a further one did. */
  #passed = 0;

  /** Makes what the beginning of an answer waits for. */
  async first<Result>(task: () => Promise<Result> | Result): Promise<Result> {
    await this.#turnIn(this.#first);
    try {
      return await task();
    } finally {
      this.#firstUnderWay -= 1;
      this.#begin();
    }
  }

  /** Makes a further part of an answer. */
  async further<Result>(task: () => Promise<Result> | Result): Promise<Result> {
    await this.#turnIn(this.#further);
    try {
      return await task();
    } finally {
      this.#furtherUnderWay -= 1;
      this.#begin();
    }
  }

  /** Waiting here, and not calling the task from a queue, keeps the async context of its caller. */
  async #turnIn(queue: (() => void)[]): Promise<void> {
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      this.#begin();
    });
    await nextTurn();
  }

  #begin(): void {
    while (this.#first.length > 0 && this.#firstUnderWay < maxFirst && !this.#isFurtherOwed()) {
      this.#firstUnderWay += 1;
      this.#passed += 1;
      this.#first.shift()?.();
    }
    if (this.#further.length === 0 || this.#furtherUnderWay > 0) return;
    if (this.#firstUnderWay > 0 && !this.#isFurtherOwed()) return;
    this.#furtherUnderWay += 1;
    this.#passed = 0;
    this.#further.shift()?.();
  }

  /** However many answers begin, the others go on. */
  #isFurtherOwed(): boolean {
    return this.#passed >= maxPassing && this.#further.length > 0 && this.#furtherUnderWay === 0;
  }
}
