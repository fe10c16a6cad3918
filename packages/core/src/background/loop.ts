import type { Observer } from '../ports/observer.js';

/** Work that a loop repeats. */
export interface Job {
  /** For who watches: named where it fails. */
  readonly name: string;
  /** Does what there is to do as long as that is wanted; answers how long it may sleep then, 0 = not at all. */
  readonly pass: (isWanted: () => boolean) => Promise<number>;
}

/** What jobs run in: begun by `start`, ended by `stop`; one that was ended stays so. */
interface Run {
  ended: boolean;
}

/**
 * Repeats jobs, each beside the others, from `start` to `stop`.
 *
 * After a pass a job sleeps until its time is over or somebody wakes it; after a fault for the whole interval. What wakes
 * it during a pass counts for the sleep after that.
 */
export class Loop {
  readonly #observer: Observer;
  readonly #interval: number;
  #run: Run | undefined;
  #runs: Promise<unknown> = Promise.resolve();
  readonly #sleepers = new Set<() => void>();
  #wakes = 0;

  constructor(observer: Observer, interval: number) {
    this.#observer = observer;
    this.#interval = interval;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Begins once the run before has ended; does nothing while one goes on. */
  start(jobs: readonly Job[]): void {
    if (this.#run !== undefined) return;
    const run = { ended: false };
    this.#run = run;
    this.#runs = this.#runs.then(() => Promise.all(jobs.map((job) => this.#repeat(job, run))));
  }

  /** Begins no pass any more, and waits for those under way. */
  async stop(): Promise<void> {
    if (this.#run !== undefined) this.#run.ended = true;
    this.#run = undefined;
    this.wake();
    await this.#runs;
  }

  wake(): void {
    this.#wakes += 1;
    for (const interrupt of this.#sleepers) interrupt();
  }

  async #repeat({ name, pass }: Job, run: Run): Promise<void> {
    const isWanted = (): boolean => !run.ended;
    while (isWanted()) {
      const wakes = this.#wakes;
      let pause = this.#interval;
      try {
        pause = await pass(isWanted);
      } catch (error) {
        this.#observer.observe({ type: 'workerFailed', job: name, error });
      }
      if (pause > 0 && isWanted() && wakes === this.#wakes) await this.#sleep(pause);
    }
  }

  /** Keeps no process alive. */
  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds).unref();
      this.#sleepers.add(end);
    });
  }
}
