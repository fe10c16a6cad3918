import type { Duty } from './loop.js';
import type { UseCaseContext } from '../operations/context.js';

const foldEvery = 5000;
/** Counts that are added up in one transaction: some tens of milliseconds. */
const portion = 1000;
/** Portions in one pass of the workers. */
const maxPortions = 20;

/** Adds up what commits have counted, where a store keeps that apart; whoever asks reads less then, and the same. */
export class CountFolds implements Duty {
  readonly #context: Pick<UseCaseContext, 'store' | 'clock' | 'observer'>;
  dueAt = -Infinity;

  constructor(context: Pick<UseCaseContext, 'store' | 'clock' | 'observer'>) {
    this.#context = context;
  }

  async step(): Promise<void> {
    const { store, clock, observer } = this.#context;
    const { appointments } = store;
    this.dueAt = appointments.foldCounts === undefined ? Infinity : clock.now() + foldEvery;
    if (appointments.foldCounts === undefined) return;
    try {
      for (let count = 0; count < maxPortions; count += 1) {
        if ((await appointments.foldCounts(portion)) < portion) return;
      }
    } catch (error) {
      // Everything else goes on: nothing is wrong until it is added up, only slower to read.
      observer.observe({ type: 'workerFailed', job: 'counts', error });
    }
  }
}
