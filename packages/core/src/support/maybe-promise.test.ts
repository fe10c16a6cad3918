import { describe, expect, it } from 'vitest';
import { andThen } from './maybe-promise.js';

describe('A value, now or later', () => {
  it('a value, now or later that is there is gone on with at once', () => {
    expect(andThen(1, (one) => one + 1)).toBe(2);
    expect(andThen(undefined, (value) => value)).toBeUndefined();
    expect(andThen(null, (value) => value)).toBeNull();
  });

  it('a value, now or later that comes later is gone on with then', async () => {
    expect(await andThen(Promise.resolve(1), (one) => one + 1)).toBe(2);
    expect(await andThen(1, (one) => Promise.resolve(one + 1))).toBe(2);
  });

  it('a value, now or later that never comes fails as it did', async () => {
    const fault = new Error('down');
    await expect(andThen(Promise.reject<number>(fault), (one) => one + 1)).rejects.toBe(fault);
  });
});
