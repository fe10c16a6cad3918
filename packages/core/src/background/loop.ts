import type { EventEmitter } from 'node:events';
import type { Instant } from '@calends/model';
import type { Observer } from '../ports/observer.js';

/** Work that a loop repeats. */
export interface Job {
  /** For who watches: named where it fails. */
  readonly name: string;
  /** Does what there is to do as long as that is wanted; answers how long it may sleep then, 0 = not at all. */
  readonly pass: (isWanted: () => boolean) => Promise<number>;
}

/** Work of a pass that is due at times of its own: asked for nothing but the time, and entered only then. */
export interface Duty {
  /** When it is to be entered next; `Infinity` = never again. */
  dueAt: Instant;
  step(): Promise<void>;
}

/** What wakes a loop while it runs: a signal by its name. */
export interface WakeSignal {
  readonly from: EventEmitter;
  readonly name: string;
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
  readonly #signal: WakeSignal | undefined;
  #run: Run | undefined;
  #runs: Promise<unknown> = Promise.resolve();
  readonly #sleepers = new Set<() => void>();
  #wakes = 0;

  constructor(observer: Observer, interval: number, signal?: WakeSignal) {
    this.#observer = observer;
    this.#interval = interval;
    this.#signal = signal;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** Begins once the run before has ended; does nothing while one goes on. */
  start(jobs: readonly Job[]): void {
    if (this.#run !== undefined) return;
    const run = { ended: false };
    this.#run = run;
    this.#signal?.from.on(this.#signal.name, this.wake);
    this.#runs = this.#runs.then(() => Promise.all(jobs.map((job) => this.#repeat(job, run))));
  }

  /** Begins no pass any more, and waits for those under way. */
  async stop(): Promise<void> {
    if (this.#run !== undefined) this.#run.ended = true;
    this.#signal?.from.off(this.#signal.name, this.wake);
    this.#run = undefined;
    this.wake();
    await this.#runs;
  }

  readonly wake = (): void => {
    this.#wakes += 1;
    for (const interrupt of this.#sleepers) interrupt();
  };

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
