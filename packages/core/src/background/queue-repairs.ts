import { minutes } from '@calends/model';
import type { UseCaseContext } from '../operations/context.js';

const roundEvery = minutes(1);

/**
 * Finds notifications that a program of before has written beside the queue of the present one (D76): round by round, a
 * portion in each pass, the first with the start and the next a minute after the end of the last.
 */
export class QueueRepairs {
  readonly #context: Pick<UseCaseContext, 'store' | 'clock' | 'observer' | 'wakeDelivery'>;
  #nextRoundAt = -Infinity;
  #after: readonly string[] | undefined;

  constructor(context: Pick<UseCaseContext, 'store' | 'clock' | 'observer' | 'wakeDelivery'>) {
    this.#context = context;
  }

  async step(): Promise<void> {
    const { store, clock, observer, wakeDelivery } = this.#context;
    if (store.notifications.repairQueue === undefined || clock.now() < this.#nextRoundAt) return;
    try {
      const { repaired, next } = await store.notifications.repairQueue(this.#after);
      this.#after = next;
      if (next === undefined) this.#nextRoundAt = clock.now() + roundEvery;
      if (repaired === 0) return;
      observer.observe({ type: 'queueRepaired', count: repaired });
      wakeDelivery();
    } catch (error) {
      // Everything else goes on: this is about what another program has left.
      this.#nextRoundAt = clock.now() + roundEvery;
      observer.observe({ type: 'workerFailed', job: 'repair', error });
    }
  }
}
