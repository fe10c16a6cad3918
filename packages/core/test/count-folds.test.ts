import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { fixture } from './fixtures.js';

/** A worker over a store that has so much to add up, and fails where there is a fault. */
function folding(waiting: number, fault?: Error) {
  const asked: number[] = [];
  const foldCounts = (limit: number): Promise<number> => {
    asked.push(limit);
    if (fault !== undefined) return Promise.reject(fault);
    const folded = Math.min(limit, waiting);
    waiting -= folded;
    return Promise.resolve(folded);
  };
  const store = memoryStore();
  return { asked, ...fixture({ store: { ...store, appointments: { ...store.appointments, foldCounts } } }) };
}

describe('the upkeep of counts', () => {
  it.each([
    ['asks once where nothing waits', 0, 1],
    ['goes on until nothing waits any more', 2500, 3],
    ['leaves the rest to the next pass where very much waits', 100_000, 20],
  ])('the upkeep of counts %s', async (_what, waiting, times) => {
    const { asked, scheduling } = folding(waiting);
    await scheduling.workers.runOnce();
    expect(asked).toEqual(Array.from({ length: times }, () => 1000));
  });

  it('the upkeep of counts comes every five seconds, not in every pass', async () => {
    const { asked, scheduling, clock } = folding(0);
    for (const later of [0, 4999, 1]) {
      clock.advance(later);
      await scheduling.workers.runOnce();
    }
    expect(asked).toHaveLength(2);
  });

  it('the upkeep of counts that fails is told to the observer, and the rest of the pass goes on', async () => {
    const { signals, scheduling, asked } = folding(0, new Error('broken'));
    await scheduling.workers.runOnce();
    expect(asked).toHaveLength(1);
    expect(signals).toContainEqual({ type: 'workerFailed', job: 'counts', error: new Error('broken') });
    expect(scheduling.workers.health().lastPassAt).toBeDefined();
  });
});
