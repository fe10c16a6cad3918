import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retrying } from './store-calls.js';

const contention = new Error('deadlock');
const isContention = (error: unknown): boolean => error === contention;

/** Work that fails so often before it ends well. */
function failing(
  times: number,
  error: Error,
): { readonly work: () => Promise<string>; readonly attempts: () => number } {
  let attempts = 0;
  return {
    attempts: () => attempts,
    work: () => {
      attempts += 1;
      return attempts <= times ? Promise.reject(error) : Promise.resolve('done');
    },
  };
}

describe('work that fell to contention', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What becomes of work each of whose attempts takes so long. */
  async function ofWork(
    times: number,
    took: number,
  ): Promise<{ readonly outcome: unknown; readonly attempts: number }> {
    const { work, attempts } = failing(times, contention);
    const outcome = retrying(isContention, async () => {
      vi.advanceTimersByTime(took);
      return work();
    }).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    return { outcome: await outcome, attempts: attempts() };
  }

  it.each([
    ['nine times at most while each attempt fails at once', 0, 10],
    ['three times at most where the database was waited for', 1000, 4],
  ])('work that fell to contention is tried again, %s', async (_, took, max) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect(await ofWork(max - 1, took)).toEqual({ outcome: 'done', attempts: max });
    expect(await ofWork(max, took)).toEqual({ outcome: contention, attempts: max });
  });

  it('work that fell to contention is not tried again after another fault', async () => {
    const broken = failing(1, new Error('broken'));
    await expect(retrying(isContention, broken.work)).rejects.toThrow('broken');
    expect(broken.attempts()).toBe(1);
  });
});
