import { expect, it } from 'vitest';
import { quietly } from './quietly.js';

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
])('a hook of the host that %s is the fault of no request, and ends no process', async (_how, hook) => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    quietly(hook);
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  } finally {
    process.off('unhandledRejection', note);
  }
});
