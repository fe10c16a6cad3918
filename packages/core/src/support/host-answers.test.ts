import { describe, expect, it } from 'vitest';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { andThen, quietly } from './host-answers.js';

describe('What may come later', () => {
  it('a value that is there is passed on at once', () => {
    expect(andThen(1, (one) => one + 1)).toBe(2);
    expect(andThen(undefined, (value) => value)).toBeUndefined();
    expect(andThen(null, (value) => value)).toBeNull();
  });

  it('a value that comes later is passed on then', async () => {
    expect(await andThen(Promise.resolve(1), (one) => one + 1)).toBe(2);
    expect(await andThen(1, (one) => Promise.resolve(one + 1))).toBe(2);
  });

  it('a value that never comes fails as its promise did', async () => {
    const fault = new Error('down');
    await expect(andThen(Promise.reject<number>(fault), (one) => one + 1)).rejects.toBe(fault);
  });
});

const reject = (message: string): Promise<never> => Promise.reject(new Error(message));

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects', () => reject('no')],
  ['answers a list of promises that reject', () => [undefined, ...['no', 'nor this'].map(reject)]],
])('a hook of the host that %s is the fault of no request, and ends no process', async (_how, hook) => {
  const unhandled = await unhandledIn(async () => quietly(hook));
  expect(unhandled).toEqual([]);
});
