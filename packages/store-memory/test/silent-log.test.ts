import { afterEach, expect, it, vi } from 'vitest';
import { type CommandLog, loggedStore } from '../src/index.js';
import { logOf } from './log-of.js';

afterEach(() => void vi.useRealTimers());

it.each<readonly [keyof CommandLog, string]>([
  ['read', 'none'],
  ['put', 'unknown'],
])('a store over a log works on 30 s after a %s of the log that never settles', async (method, outcome) => {
  vi.useFakeTimers();
  const log = logOf([]);
  let isLost = true;
  const orLost =
    <Given extends unknown[], Answer>(name: keyof CommandLog, call: (...given: Given) => Promise<Answer>) =>
    (...given: Given) =>
      isLost && name === method ? new Promise<Answer>(() => undefined) : call(...given);
  const store = loggedStore({ read: orLost('read', log.read), put: orLost('put', log.put) });
  const told: unknown[] = [];
  const change = { organizationId: 'org-1', events: [] };
  void store.commit(change).catch((fault: unknown) => told.push(fault));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([expect.objectContaining({ code: 'unavailable', outcome })]);
  isLost = false;
  await expect(store.commit(change)).resolves.toMatchObject({ status: 'committed' });
});
