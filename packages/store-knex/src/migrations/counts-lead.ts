import { runSingle, type Steps } from '../sql/steps.js';
import { migrationsTable } from './schema-state.js';

/** Milliseconds between two looks. */
const lookEvery = 1000;

/**
 * Tells whether what commits have counted is complete, so that it may be answered (D76): from the contracting step on that keeps
 * programs away which count nothing. That never goes back; until then it is looked at once a second.
 */
export class CountsLead {
  readonly #step: string;
  readonly #trustAfter: number;
  readonly #monotonic: () => number;
  #completeSince: number | undefined;
  #lookedAt = -Infinity;

  /** `step`: the contracting step; `trustAfter`: milliseconds that a copy which answers reads may lack what is complete elsewhere. */
  constructor(step: string, trustAfter: number, monotonic = () => performance.now()) {
    this.#step = step;
    this.#trustAfter = trustAfter;
    this.#monotonic = monotonic;
  }

  *isComplete(): Steps<boolean> {
    const now = this.#monotonic();
    if (this.#completeSince === undefined && now - this.#lookedAt >= lookEvery) {
      const found = yield* runSingle(`select 1 as taken from ${migrationsTable} where name = ?`, [this.#step]);
      this.#lookedAt = now;
      if (found !== undefined) this.#completeSince = now;
    }
    return this.#completeSince !== undefined && now - this.#completeSince >= this.#trustAfter;
  }
}
