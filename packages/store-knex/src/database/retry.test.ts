import { describe, expect, it } from 'vitest';
import { retrying } from './retry.js';

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
  it('is tried again, three times at most', async () => {
    const thrice = failing(3, contention);
    expect(await retrying(isContention, thrice.work)).toBe('done');
    expect(thrice.attempts()).toBe(4);
    const hopeless = failing(9, contention);
    await expect(retrying(isContention, hopeless.work)).rejects.toBe(contention);
    expect(hopeless.attempts()).toBe(4);
  });

  it('is not tried again after another fault', async () => {
    const broken = failing(1, new Error('broken'));
    await expect(retrying(isContention, broken.work)).rejects.toThrow('broken');
    expect(broken.attempts()).toBe(1);
  });
});
