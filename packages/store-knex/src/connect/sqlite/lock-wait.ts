import { setTimeout as pauseFor } from 'node:timers/promises';
import { errorField } from '../../faults/error-fields.js';

/** Milliseconds of the longest pause between two attempts. */
const maxPause = 50;

/** Whether another connection holds the lock that a statement needs. */
export const isBusy = (error: unknown): boolean => errorField(error, 'code')?.startsWith('SQLITE_BUSY') === true;

/**
 * Tries again, after pauses by timer, while another process holds the lock of the file; throws what SQLite said once
 * the time is over.
 *
 * SQLite's own waiting (`busy_timeout`) would keep the thread, and the whole process would stand still.
 */
export async function untilFree<Result>(milliseconds: number, work: () => Result | Promise<Result>): Promise<Result> {
  const until = performance.now() + milliseconds;
  for (let pause = 1; ; pause = Math.min(2 * pause, maxPause)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
    await pauseFor(pause * (0.5 + Math.random() / 2));
  }
}
