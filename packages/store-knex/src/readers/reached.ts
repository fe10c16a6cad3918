import { copiesMayLack } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import { reachedAtPrimary } from './seen-steps.js';

/** Milliseconds between two looks at the primary, while readers are asked. */
const lookEvery = 1000;

/** Milliseconds of a look that a reader must have reached to be of use: younger ones it may just not have yet. */
export const oldLook = copiesMayLack - 2 * lookEvery;

/** What the primary said. */
export interface Look {
  /** Milliseconds of the clock that nobody sets, before it was asked. */
  readonly at: number;
  readonly mark: string;
}

/**
 * Up to where every reader must be.
 *
 * A standby that has lost its primary goes on answering, with data that gets older and older. So the primary is asked once a
 * second how far it is, beside the reads; a reader must have what that was some ten seconds ago.
 */
export class Reached {
  readonly #primary: Connections;
  readonly #monotonic: () => number;
  #looks: readonly Look[] = [];
  #lookedAt = -Infinity;
  #looking: Promise<void> | undefined;

  constructor(primary: Connections, monotonic: () => number) {
    this.#primary = primary;
    this.#monotonic = monotonic;
  }

  /** How far the primary was; `undefined` while it has never said it. */
  async least(): Promise<Look | undefined> {
    const now = this.#monotonic();
    if (now - this.#lookedAt >= lookEvery) {
      this.#lookedAt = now;
      this.#looking = this.#look(now).finally(() => (this.#looking = undefined));
    }
    const known = this.#within(now);
    if (known !== undefined || this.#looking === undefined) return known ?? this.#looks.at(-1);
    await this.#looking;
    return this.#within(now) ?? this.#looks.at(-1);
  }

  /** The oldest look that is young enough. */
  #within(now: number): Look | undefined {
    return this.#looks.find(({ at }) => now - at <= copiesMayLack);
  }

  /** While the primary is away, the last that is known stands. */
  async #look(at: number): Promise<void> {
    try {
      const mark = await this.#primary.read(reachedAtPrimary);
      this.#looks = [...this.#looks.filter((look) => at - look.at <= copiesMayLack), { at, mark }];
    } catch {
      return;
    }
  }
}
