import type { SchedulingStore } from '@calends/core/store';
import { memoryStore } from '@calends/store-memory';
import fc from 'fast-check';
import { expect } from './expectations.js';

/** The same every time: a failure must be the same on every store and machine. */
export const seed = 20_260_302;

/** A store and the one in memory, asked the same: they must answer the same. */
export class Compared {
  readonly #stores: readonly [SchedulingStore, SchedulingStore];

  constructor(store: SchedulingStore) {
    this.#stores = [store, memoryStore()];
  }

  async ask<Answer>(question: (store: SchedulingStore) => Promise<Answer>): Promise<Answer> {
    const [store, model] = this.#stores;
    const answer = await question(store);
    expect(answer).toEqual(await question(model));
    return answer;
  }

  /** Asks as many different questions. */
  async askMany<Given>(
    numRuns: number,
    any: fc.Arbitrary<Given>,
    question: (store: SchedulingStore, given: Given) => Promise<unknown>,
  ): Promise<void> {
    const property = fc.asyncProperty(any, async (given) => {
      await this.ask((store) => question(store, given));
    });
    await fc.assert(property, { seed, numRuns });
  }
}
