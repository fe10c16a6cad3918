/** How often each process that serves says that it goes on, in milliseconds. */
export const saysEvery = 5_000;
/** A minute. It is counted and not looked up on a clock: after a pause of the machine all of them would be late. */
const maxMissed = 12;

/** For how long processes have said nothing: one that stands still gets its connections all the same, and answers none. */
export class Silence {
  readonly #missed = new Map<number, number>();

  /** A process that is up said something. */
  heard(process: number): void {
    this.#missed.set(process, 0);
  }

  /** A process is no more. */
  ended(process: number): void {
    this.#missed.delete(process);
  }

  /** Once every `saysEvery`: answers which have been silent for a minute, each of them once. */
  next(): readonly number[] {
    const stuck: number[] = [];
    for (const [process, missed] of this.#missed) {
      this.#missed.set(process, missed + 1);
      if (missed + 1 === maxMissed) stuck.push(process);
    }
    return stuck;
  }
}
