import type { Admission, Limiter } from '@calends/core/operations';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { enter, startHost } from './pages-host.js';

// No more than what the limiter is waited for with: the sockets go on by real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('a limiter of the host that never settles has the customer wait for 30 s at most, and the host is told', async () => {
  const steps = new EventEmitter();
  const asked = once(steps, 'asked');
  const faults: unknown[] = [];
  const limits: Limiter = {
    beforeBody: () => {
      steps.emit('asked');
      return new Promise<Admission>(() => undefined);
    },
    afterDecoding: () => ({ admitted: true }),
  };
  const host = await startHost({ options: { limits, onFault: (fault) => void faults.push(fault) } });
  const reply = enter(host.visitor(), 'x');
  await asked;
  await vi.advanceTimersByTimeAsync(30_000);
  const { status, text } = await reply;
  expect(status).toBe(503);
  expect(text).toContain('Please try again in a moment');
  expect(faults).toEqual([expect.objectContaining({ code: 'unavailable' })]);
  await host.close();
});
