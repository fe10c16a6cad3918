import type { Instant } from '../../appointments/instant.js';
import type { UseCaseContext } from '../../use-case/context.js';
import type { ChannelHealth } from '../../workers/workers.js';
import type { ChannelWorker } from './channel-worker.js';

/** What runs a channel: begun by `start`, ended by `stop`. */
interface Run {
  ended: boolean;
}

/** Bounds how often the store is asked while something due is held by somebody else. */
const shortestSleep = 20;

/**
 * Runs the workers of all channels, each in a loop of its own; several processes may do so on one store.
 *
 * After a full claim a loop looks again at once; else it sleeps until the next notification is due, somebody wakes
 * it, or `interval` is over.
 */
export class DeliveryLoop {
  readonly #context: UseCaseContext;
  readonly #workers: readonly ChannelWorker[];
  readonly #interval: number;
  #run: Run | undefined;
  #loops: Promise<unknown> = Promise.resolve();
  readonly #sleepers = new Set<() => void>();
  #wakes = 0;

  constructor(context: UseCaseContext, workers: readonly ChannelWorker[], interval: number) {
    this.#context = context;
    this.#workers = workers;
    this.#interval = interval;
  }

  start(): void {
    if (this.#run !== undefined) return;
    const run = { ended: false };
    this.#run = run;
    for (const worker of this.#workers) worker.beginSlowly();
    this.#loops = this.#loops.then(() => Promise.all(this.#workers.map((worker) => this.#repeat(worker, run))));
  }

  /** Claims nothing more, gives back what has not begun, and waits for sends up to their time-out. */
  async stop(): Promise<void> {
    if (this.#run !== undefined) this.#run.ended = true;
    this.#run = undefined;
    for (const worker of this.#workers) worker.halt();
    this.wake();
    await this.#loops;
    await Promise.all(this.#workers.map((worker) => worker.settled()));
  }

  wake(): void {
    this.#wakes += 1;
    for (const interrupt of this.#sleepers) interrupt();
  }

  /** Does everything that is due now; answers how many notifications were claimed. */
  async runOnce(): Promise<number> {
    for (const worker of this.#workers) worker.begin();
    const counts = await Promise.all(this.#workers.map((worker) => drain(worker)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  health(): readonly ChannelHealth[] {
    return this.#workers.map((worker) => worker.health());
  }

  async #repeat(worker: ChannelWorker, run: Run): Promise<void> {
    while (!run.ended) {
      const wakes = this.#wakes;
      try {
        const { isFull } = await worker.look();
        if (isFull) continue;
        await this.#sleep(run, wakes, await this.#untilNext(worker));
      } catch (error) {
        this.#context.observer.observe({ type: 'workerFailed', job: `delivery ${worker.channel}`, error });
        await this.#sleep(run, wakes, this.#interval);
      }
    }
  }

  async #untilNext(worker: ChannelWorker): Promise<number> {
    const next: Instant | null = await this.#context.store.nextWakeAt({
      appointments: false,
      events: false,
      channels: [worker.channel],
    });
    const wait = next === null ? this.#interval : next - worker.now();
    return Math.min(Math.max(wait, shortestSleep), this.#interval);
  }

  /** Until the time is over, or somebody wakes or stops the loops; keeps no process alive. */
  #sleep(run: Run, wakesBefore: number, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (run.ended || this.#wakes !== wakesBefore) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      timer.unref();
      this.#sleepers.add(end);
    });
  }
}

async function drain(worker: ChannelWorker): Promise<number> {
  let sum = 0;
  for (;;) {
    const { claimed, isFull } = await worker.look();
    sum += claimed;
    if (isFull) continue;
    await worker.settled();
    if (claimed === 0 || worker.isFailing) return sum;
  }
}
