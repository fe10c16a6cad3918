const first = 100;
const most = 30_000;
/** A process that has served so long died of something else than the one before. */
const forgotten = 60_000;

/** How long until a process that died is started again: doubled with each death of the last minute, 30 seconds at most. Milliseconds. */
export class BackOff {
  #deaths: readonly number[] = [];

  /** The delay after a death now. */
  next(now: number): number {
    this.#deaths = [...this.#deaths.filter((at) => now - at < forgotten), now];
    return Math.min(most, first * 2 ** (this.#deaths.length - 1));
  }
}
