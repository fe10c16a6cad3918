/**
 * Lets tasks of the same key run one after the other, in the order of their calls.
 *
 * Spares calls on one appointment within a process from deciding on versions that are stale before they commit;
 * between processes the version check decides.
 */
export class OneAtATime {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs the task when every earlier one of the same key has ended, however it ended. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key);
    let release: () => void = () => undefined;
    const tail = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#tails.set(key, tail);
    try {
      await before;
      return await task();
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
