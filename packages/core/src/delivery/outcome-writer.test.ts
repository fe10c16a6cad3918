import { memoryStore } from '@calends/store-memory';
import { expect, it, vi } from 'vitest';
import { claimedToSend, notification } from '../../test/notifications/sample-notification.js';
import { StoreError } from '../ports/store/store-error.js';
import { OutcomeWriter } from './outcome-writer.js';

/** The first pause before a store that is out of reach is tried again. */
const pause = 100;

it('An outcome keeps a process alive that ends while its store is out of reach', async () => {
  const inner = memoryStore().notifications;
  let attempts = 0;
  const store = {
    ...inner,
    settle: () => {
      attempts += 1;
      if (attempts > 1) return Promise.resolve([true]);
      return Promise.reject(new StoreError('unavailable', 'The database does not answer.'));
    },
  };
  const started = vi.spyOn(globalThis, 'setTimeout');
  const outcome = new OutcomeWriter(store).write({
    expectedRevision: claimedToSend().revision,
    next: notification({ phase: 'DONE', status: 'DELIVERED', wakeAt: null, revision: 3 }),
    events: [],
  });
  while (attempts === 0) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const own = started.mock.results.filter((_, index) => started.mock.calls[index]?.[1] === pause);
  started.mockRestore();
  expect(own.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([true]);
  expect(await outcome).toBe(true);
});
