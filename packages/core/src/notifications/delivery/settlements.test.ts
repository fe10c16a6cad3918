import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { claimedToSend, notification } from '../../../test/notifications/sample-notification.js';
import { StoreError } from '../../ports/store-error.js';
import { Settlements } from './settlements.js';

/** Timers that keep the process alive. */
const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

it('An outcome keeps a process alive that ends while its store is out of reach', async () => {
  const inner = memoryStore();
  let attempts = 0;
  const store = {
    ...inner,
    settleNotifications: () => {
      attempts += 1;
      if (attempts > 1) return Promise.resolve([true]);
      return Promise.reject(new StoreError('unavailable', 'The database does not answer.'));
    },
  };
  const before = timers();
  const outcome = new Settlements(store).settle({
    expectedRevision: claimedToSend().revision,
    next: notification({ phase: 'DONE', status: 'DELIVERED', wakeAt: null, revision: 3 }),
    events: [],
  });
  while (attempts === 0) await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(timers()).toBeGreaterThan(before);
  expect(await outcome).toBe(true);
});
